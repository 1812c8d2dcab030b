# SPDX-License-Identifier: Apache-2.0
# Differences that cancel on average are shown by their size.
new_repository
f=gpt/a/golden_values_dev.json
golden $ROOT/$f 'lm loss' 10 10 10 10
commit
golden staged/files/$f 'lm loss' 11 9 11 9
staging_manifest staged
regild update staged
