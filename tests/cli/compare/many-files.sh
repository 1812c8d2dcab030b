# SPDX-License-Identifier: Apache-2.0
# Up to ten new and ten removed goldens are named; of more a line says how many, and -v names each.
new_repository
golden $ROOT/gpt/kept/golden_values_dev.json m 1
for test in 01 02 03 04 05 06 07 08 09 10; do
	golden $ROOT/gpt/old-$test/golden_values_dev.json "old $test" 1
done
commit
rm -r $ROOT/gpt/old-*
for test in 01 02 03 04 05 06 07 08 09 10; do
	golden $ROOT/gpt/new-$test/golden_values_dev.json "new $test" 2
done
regild compare 2>&1 | grep -c -e ': new,' -e ': removed'
golden $ROOT/gpt/new-11/golden_values_dev.json "new 11" 2
regild compare
regild -v compare 2>&1 | grep -c -e ': new,' -e ': removed'
