# SPDX-License-Identifier: Apache-2.0
# Rows, their order and their bytes, with metrics' names that break careless writers.
new_repository
golden $ROOT/gpt-b/x/golden_values.json "lm loss" 10 9 8 -- iteration-time 1 2
golden $ROOT/gpt/x/golden_values.json 'a|b' 1 2 -- '\"x\"' 4 -- 'two\nlines' 1 -- 'a,b' 1e-13 2 -- '`c`' 3 -- '\u001b[31mred' 1 -- 'é' 1
commit
golden $ROOT/gpt-b/x/golden_values.json "lm loss" 10.0001 9 8 -- iteration-time 1 NaN
golden $ROOT/gpt/x/golden_values.json 'a|b' 1 3 -- '\"x\"' 8e5 -- 'two\nlines' 0.99999 -- 'a,b' 1 2 -- '`c`' 3 -- '\u001b[31mred' 2 -- 'é' 1.5

echo '# all'
regild compare --top 0
echo '# over a threshold'
regild compare -q --threshold 0.25
echo '# the first two'
regild compare -q --top 2
echo '# over a threshold, then the first two of all'
regild compare -q --threshold 0.25 --top 2
echo '# over a threshold that no row reaches'
regild compare -q --threshold 1e9 --top 1
regild compare -q --threshold 1e9 --top 50 --filter metric=iteration-time
echo '# CSV'
regild compare -q --csv rows.csv >/dev/null
sed 's/\r$/<CRLF>/' rows.csv
regild compare -q --csv - | cmp - rows.csv
echo '# no rows'
git checkout -q .
regild compare -q
regild compare -q --threshold 0.25 --top 2
regild compare --csv -
