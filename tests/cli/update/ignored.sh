# SPDX-License-Identifier: Apache-2.0
# A new golden that git ignores is said to be: no commit would have it, and no status shows it.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
printf '*_gb200.json\n' >.gitignore
golden $ROOT/gpt/b/golden_values_gb200.json 'lm loss' 1
git add -f .
git commit -q -m goldens
golden ../staged/files/gpt/a/golden_values_dev.json 'lm loss' 2
golden ../staged/files/gpt/a/golden_values_lts.json 'lm loss' 2
golden ../staged/files/gpt/a/golden_values_gb200.json 'lm loss' 2
golden ../staged/files/gpt/b/golden_values_gb200.json 'lm loss' 2
staging_manifest ../staged
regild update ../staged
git status --short
regild undo -q
regild update --stage ../staged
git status --short
