# SPDX-License-Identifier: Apache-2.0
# A folder that may not be written to: nothing is changed, the goldens before it included.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
commit
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 1 3
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 1 3
staging_manifest staged
chmod a-w $ROOT/gpt/b
try unprivileged update staged
chmod u+w $ROOT/gpt/b
git status --short
