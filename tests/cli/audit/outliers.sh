# SPDX-License-Identifier: Apache-2.0
# One wild test does not set the tolerance of all: --write-policy names it, with what it would need.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.1
commit
for run in $(seq 10 31); do
	for test in a b c; do
		golden runs/$run/gpt/$test/golden_values_dev.json "lm loss" 10.$((run * 7 % 22 + 10))
	done
	golden runs/$run/gpt/wild/golden_values_dev.json "lm loss" $((run * 7 % 22 + 30))
done
regild audit -q --write-policy --from runs/*
sed 's/, 20..-..-..:/, DATE:/' .regild
# With two files nobody knows which is the outlier.
rm -r runs/*/gpt/[bc]
regild audit -q --write-policy --from runs/*
sed 's/, 20..-..-..:/, DATE:/' .regild
