# SPDX-License-Identifier: Apache-2.0
# A golden that is renamed keeps its series, be it changed on the way; a commit that only renames it is no run.
new_repository
write() { golden $ROOT/gpt/$1/golden_values_$2.json "lm loss" $3 9.0 8.0 7.0 -- grad 1.0 2.0 3.0 4.0; }
write a dev 10.1
write b dev 5.1
commit first
for value in 10.3 10.2; do
	write a dev $value
	commit "a is $value"
done
mkdir -p $ROOT/gpt/moved
git mv $ROOT/gpt/a/golden_values_dev.json $ROOT/gpt/moved/golden_values_h100.json
commit "a moves"
git mv $ROOT/gpt/b/golden_values_dev.json $ROOT/gpt/b/golden_values_h100.json
write b h100 5.2
commit "b moves, and is another"
write moved h100 10.4
commit "a is 10.4"
echo "== where another was before, nothing is followed"
git mv -f $ROOT/gpt/b/golden_values_h100.json $ROOT/gpt/moved/golden_values_h100.json
commit "b takes the place of a"
regild audit -q --history HEAD --csv - | cut -d , -f 1-5
