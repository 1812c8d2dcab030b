# SPDX-License-Identifier: Apache-2.0
# What a gate must not pass for all well: a limit for a metric that no golden has, and a root that is
# on neither side.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 4
golden $ROOT/gpt/b/golden_values_dev.json 'num-zeros' 5
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 3
echo "== no such metric"
try regild compare -q --csv /dev/null --fail-above 'lm los=1e-3'
try regild compare -q --csv /dev/null --fail-above 'lm los=1e-3' --fail-above 0.01
try regild compare -q --csv /dev/null --old $ROOT/gpt/a --new $ROOT/gpt/a --fail-above 'num-zeros=1'
echo "== one that only unchanged goldens have, and one that is new"
try regild compare -q --csv /dev/null --fail-above 'num-zeros=1e-3'
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 4 -- new 1
try regild compare -q --csv /dev/null --fail-above 'new=1e-3'
git checkout -q .
echo "== no such root"
mkdir empty
for root in elsewhere empty; do
	git config regild.root $root
	for command in compare 'compare --staged' 'compare --base HEAD --to HEAD' check; do
		try regild $command -q
	done
done
git config --unset regild.root
echo "== one that is on a side"
rm -r $ROOT
try regild compare -q --filter 'file=nothing'
