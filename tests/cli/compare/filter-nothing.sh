# SPDX-License-Identifier: Apache-2.0
# A filter with a slip in it is not called a golden that does not differ.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 2
regild compare -q --filter 'metric=lm los'
regild compare -q --filter stage=gtp
