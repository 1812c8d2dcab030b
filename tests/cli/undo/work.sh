# SPDX-License-Identifier: Apache-2.0
# Somebody's work that an undo puts back is still theirs: the next update holds it back.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
commit
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
staging_manifest staged 99
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 7
regild update -q --allow dirty staged
regild undo -q
regild update staged
# exit: 4
