# SPDX-License-Identifier: Apache-2.0
# A new golden whose every value is NaN is held back, and never called ready for a commit.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9
commit
echo run >.git/info/exclude
golden run/logs-a-7-x/golden_values_dev.json 'lm loss' 10 9
mkdir -p $ROOT/gpt/b && touch $ROOT/gpt/b/golden_values_lts.json
golden $ROOT/gpt/b/golden_values_lts.json 'lm loss' 10
commit
golden run/logs-b-7-x/golden_values_dev.json 'lm loss' NaN '"nan"'
try regild refresh --from run
git status --short
try regild refresh --from run --allow nonfinite
