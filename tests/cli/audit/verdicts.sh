# SPDX-License-Identifier: Apache-2.0
# Each report says of each row what was measured: rows that stand on different runs are not told as one.
new_repository
for i in {10..33}; do
	value=10.$((i * 7 % 24 + 10))
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" $value 9.0 -- "mem-x" 100 100
	[ $i -gt 29 ] || golden runs/$i/gpt/b/golden_values_dev.json "lm loss" $value 9.0 -- "num-zeros" $value
	[ $i -gt 27 ] || golden runs/$i/gpt/c/golden_values_dev.json "lm loss" $value
done
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json "lm loss" 10.20 9.0 -- "mem-x" 100 100 -- "num-zeros" 10.2
done
golden $ROOT/gpt/c/golden_values_dev.json "lm loss" 10.20
commit
regild audit -q --model noise.db --from runs/*
for test in a b; do
	golden $ROOT/gpt/$test/golden_values_dev.json "lm loss" 10.25 9.0 -- "mem-x" 100 101 -- "num-zeros" 10.25
done
golden $ROOT/gpt/c/golden_values_dev.json "lm loss" 10.25
regild compare -q --noise noise.db --columns metric,verdict,verdict_runs,verdict_bound,verdict_low
regild compare -q --noise noise.db --markdown - | sed -n '/Measured noise/,/By the/p'
regild compare -q --noise noise.db --html page.html
sed -n '/Measured noise/,/<.section>/p' page.html
sed -n '/<h2>Rows/,$p' page.html | grep -oE '<td>(within|outside|inconclusive|unmeasured)' | sort | uniq -c
regild compare -q --noise noise.db --json - | checked_json | grep -oE '"verdict(_runs|_bound|_low)?":[^,]*' | sort | uniq -c
regild compare -q --noise noise.db --json - | grep -A 9 '"run": {' | head -3
echo "== without a model"
regild compare -q --markdown - | grep -i -E 'noise|measured|range of'
echo "== no level has anything to say"
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.25 9.0 -- "mem-x" 100 100 -- "num-zeros" 10.2
git checkout -q -- $ROOT/gpt/b $ROOT/gpt/c
printf '[metric "lm loss"]\n\tnoise = 0\n\tflag = 1\n' >.regild
regild compare -q --noise noise.db --markdown - | sed -n '/Interpretation/,$p'
regild compare -q --noise noise.db --html page.html >rows.txt
sed -n '/Measured noise/,$p' page.html | sed -n '1,/<.section>/p'
echo "== gates on what was measured"
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 11.25 9.0 -- "mem-x" 100 101 -- "num-zeros" 10.3
try regild compare -q --noise noise.db --fail-on outside >/dev/null
try regild compare -q --noise noise.db --fail-on "outside:lm*" >/dev/null
try regild compare -q --noise noise.db --fail-on run >/dev/null
try regild compare -q --noise noise.db --fail-on unmeasured >/dev/null
try regild compare -q --fail-on unmeasured >/dev/null
