# SPDX-License-Identifier: Apache-2.0
# What was changed by hand is noticed: no commit names a run, and no update of regild wrote it. It is no finding.
new_repository
for test in hand run update new both; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9; done
echo staged >.git/info/exclude
commit
git branch base
golden $ROOT/gpt/hand/golden_values_dev.json 'lm loss' 10 8
commit 'Change it'
golden $ROOT/gpt/run/golden_values_dev.json 'lm loss' 10 8
golden $ROOT/gpt/both/golden_values_dev.json 'lm loss' 10 8
git add -A && git commit -qm $'Refresh 2 goldens\n\nRegild-Run: 7'
golden staged/files/gpt/update/golden_values_dev.json 'lm loss' 10 8
staging_manifest staged
regild update -q staged
golden $ROOT/gpt/both/golden_values_dev.json 'lm loss' 10 7
golden $ROOT/gpt/new/golden_values_hand.json 'lm loss' 10 7
try regild check --changed --base base
echo '# of what is not committed alone'
try regild check --changed
git checkout -q . && git clean -qfd $ROOT
try regild check --changed
try regild check
