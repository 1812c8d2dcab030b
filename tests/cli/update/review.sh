# SPDX-License-Identifier: Apache-2.0
# The interactive review: losses come first, what is held back is shown with its reason and let through by name,
# q keeps the answers, and nothing is written before the last question is answered with yes.
needs_terminal
new_repository
for test in loss time nan; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 -- time 1 1
done
commit
staged=../staged/files/gpt
golden $staged/loss/golden_values_dev.json 'lm loss' 10 9.1 -- time 1 1
golden $staged/time/golden_values_dev.json 'lm loss' 10 9 -- time 3 3
golden $staged/nan/golden_values_dev.json 'lm loss' 10 NaN -- time 1 1
staging_manifest ../staged
echo '== no'
answer 'regild update ../staged -i' y y y 'n\n'
git status --short
echo '== q keeps the answers'
answer 'regild update ../staged -i' s y '?' q 'y\n'
git status --short
regild undo -q
echo '== the end of the input'
answer 'regild update ../staged -i' y '\004' | tail -n 3
answer 'regild update ../staged -i' a n '\004' | tail -n 3
git status --short
