# SPDX-License-Identifier: Apache-2.0
# --changed looks only at what differs; files can be named, with or without a repository.
new_repository
golden $ROOT/gpt/old/golden_values_dev.json 'lm loss' NaN
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' 1
commit
regild check --changed
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' 2
rm $ROOT/gpt/old/golden_values_dev.json
regild check --changed
git checkout -q $ROOT/gpt/old
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' '"nan"'
try regild check --changed
try regild check -q $ROOT/gpt/old/golden_values_dev.json
commit
try regild check --changed --base HEAD~1
cd ..
mkdir elsewhere
cd elsewhere
golden g.json 'lm loss' 1 Infinity
try regild check g.json missing.json
try regild check g.json .
truncate -s 1025M large.json
try regild check large.json
rm large.json
try regild check ""
try regild check
try regild check --base HEAD
try regild check --changed g.json
git init -q unborn
cd unborn
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' NaN
try regild check
try regild check --changed
