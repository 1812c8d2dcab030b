# SPDX-License-Identifier: Apache-2.0
# JSON is JSON, whatever the names and the numbers are.
new_repository
golden $ROOT/gpt/t/golden_values.json 'a|\"b\"\n' 1 2 -- m 1e-300 -- n 1 -- 'c\rd' 1 -- 'e ' 1 -- gone 1 -- zero 0
commit
golden $ROOT/gpt/t/golden_values.json 'a|\"b\"\n' 1 2.5 -- m 1e300 -- n NaN -- 'c\rd' 2 -- 'e ' 3 -- zero 7
golden $ROOT/gpt/new/golden_values.json m 1 2
printf '[metric "zero"]\n\tkind = absolute\n\tfail = 5\n' >.regild
regild compare -q --json - | checked_json
regild compare -q --csv - --filter 'metric=*d' | cat -v
regild compare -q --markdown - | sed -n '/<code>/p; /^.*Interpretation/,/Golden value updates/p'
printf '[metric "zero"]\n\tkind = absolute\n\tflag = 7\n' >.regild
regild compare -q --html - | grep -o '[^>]*from zero[^<]*' | sort -u
# What moves a cursor or turns the direction of writing is escaped, in whatever encoding it came.
golden old.json 'a\u001b[2Jb\u007fc\u009bd\u202ee\udb40\udc41\u00e9' 1
golden new.json 'a\u001b[2Jb\u007fc\u009bd\u202ee\udb40\udc41\u00e9' 2
regild compare -q --old old.json --new new.json --json - | checked_json | grep -o '"metric": "[^"]*"' | sort -u
