# SPDX-License-Identifier: Apache-2.0
# One wild test does not set the tolerance of all: --write-policy gives it one of its own, and none
# where it would let anything pass.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.1
commit
for run in {10..31}; do
	for test in a b c; do
		golden runs/$run/gpt/$test/golden_values_dev.json "lm loss" 10.$((run * 7 % 22 + 10))
	done
	golden runs/$run/gpt/wild/golden_values_dev.json "lm loss" $((run * 7 % 22 + 30))
done
regild audit --write-policy --from runs/* 2>&1 >/dev/null | grep -e tolerance -e differ
sed 's/, 20..-..-..:/, DATE:/' .regild
echo "== it is read again"
golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 10.1
golden $ROOT/gpt/wild/golden_values_dev.json "lm loss" 40
git add $ROOT && git commit -qm goldens
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 13
golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 10.2
golden $ROOT/gpt/wild/golden_values_dev.json "lm loss" 30
try regild compare -q --columns file,kind,score,level
echo "== two files: the wider one is for files that are new"
rm -r runs/*/gpt/[bc]
regild audit -q --write-policy --from runs/*
sed 's/, 20..-..-..:/, DATE:/' .regild
echo "== nothing to hold the wild one to"
for run in {10..31}; do
	golden runs/$run/gpt/b/golden_values_dev.json "lm loss" 10.$((run * 7 % 22 + 10))
	golden runs/$run/gpt/wild/golden_values_dev.json "lm loss" $((run * 7 % 22 + 1))
done
regild audit --write-policy --from runs/* 2>&1 >/dev/null | grep tolerance
sed 's/, 20..-..-..:/, DATE:/' .regild
