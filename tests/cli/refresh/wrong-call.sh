# SPDX-License-Identifier: Apache-2.0
# The scope is never guessed, and a wrong call touches nothing.
start_hub "$REGILD_TOP/fixtures/demo"
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git
try regild refresh --run 22651183945 --all
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10 && commit
try regild refresh --run 22651183945
try regild refresh --run 22651183945 --all --only-failing
try regild refresh --all
try regild refresh --run 1 --all
try regild refresh --run https://github.com/other/repository/actions/runs/22651183945 --all --repo a/b
try regild refresh --run 22651183945 --all --threshold x
try regild refresh --run 22651183945 --all --interactive
try regild refresh --run 22651183945 --all --allow dirty --allow dirt
GITHUB_TOKEN=wrong try regild refresh --run 22651183945 --all
git status --short
find .git/regild -type f 2>/dev/null || true
