# SPDX-License-Identifier: Apache-2.0
# The common options may come before the command, as in git.
mkdir repository && cd repository && new_repository
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10 11 && commit
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10 12
cd ..
regild -C repository -q compare
regild -q compare -C repository
# One from the other, before and after the command; an empty name changes nothing.
mkdir -p outer && mv repository outer
regild -C outer -C '' -C repository -q compare
regild -C outer -q compare --directory=repository -C .
try regild -C outer compare -C outer
mv outer/repository .
try regild -C nowhere compare
try regild --nonsense compare
try regild -C
