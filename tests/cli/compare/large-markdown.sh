# SPDX-License-Identifier: Apache-2.0
# A pull request's body takes 65,536 characters: lists are cut, worst first, and say so.
new_repository
for i in $(seq 1 400); do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 10 -- mem-allocated-bytes 100
done
commit
for i in $(seq 1 400); do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 1$i -- mem-allocated-bytes 1$i
done
regild compare -q --markdown summary.md --csv summary.csv >/dev/null
characters=$(wc -m <summary.md)
[ "$characters" -lt 65536 ] && [ "$characters" -gt 20000 ] && echo fits
grep more summary.md
grep -A 2 'worst first' summary.md
wc -l <summary.csv
regild compare -q --markdown - | grep more
