# SPDX-License-Identifier: Apache-2.0
# The answer rests on rows that enough runs measured. A row of fewer runs that is far out is named, and is no noise.
new_repository
for run in {10..33}; do
	golden runs/$run/gpt/c/golden_values_dev.json "lm loss" 10.$((run * 7 % 24 + 10))
	[ "$run" -gt 14 ] || golden runs/$run/gpt/a/golden_values_dev.json "lm loss" 10.$((run * 3 % 5 + 10))
done
for name in a c; do golden $ROOT/gpt/$name/golden_values_dev.json "lm loss" 10.15; done
commit
regild audit -q --from runs/* --model noise.db
judge() {
	try regild compare -q --noise noise.db --fail-on changed-beyond-noise | sed -n '/^NOISE/,/^ *rows/p; /^exit/p'
}
golden $ROOT/gpt/c/golden_values_dev.json "lm loss" 10.16
echo "# as the runs are"
judge
echo "# doubled, in the golden that five runs have"
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 20.3
judge
regild compare -q --noise noise.db --json - | checked_json | grep -E '"(answer|open_rows|open_file|open_metric)"'
echo "# no step in common"
git checkout -q .
sed -i 's/"1":/"7":/; s/"start_step": 1/"start_step": 7/; s/"end_step": 1/"end_step": 7/' $ROOT/gpt/c/golden_values_dev.json
cat $ROOT/gpt/c/golden_values_dev.json
judge
try regild compare -q --noise noise.db --fail-on unmeasured | sed -n '/^exit/p'
