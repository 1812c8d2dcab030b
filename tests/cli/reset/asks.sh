# SPDX-License-Identifier: Apache-2.0
# On a terminal reset asks, and only a yes does it. What is left alone is not counted, and is a part
# that is missing.
needs_terminal
new_repository
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8; done
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
answer 'regild reset' 'n\n'
answer 'regild reset' '\n'
answer 'regild reset' '\004'
git status --short
answer 'regild reset' 'y\n'
git status --short
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 2; done
mv $ROOT/gpt/c elsewhere
ln -s ../../../../elsewhere $ROOT/gpt/c
answer 'regild reset' 'Yes\n'
git status --short
