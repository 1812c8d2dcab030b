# SPDX-License-Identifier: Apache-2.0
# A repository without goldens yet: a root that is not there is no slip, whether the first ones go in
# or are left out.
start_hub "$REGILD_TOP/fixtures/demo"
mkdir repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git
echo 'A project' >README && commit
git config regild.root $ROOT
try regild refresh --run 22651183945 --all -q --except '*'
git status --short
try regild refresh --run 22651183945 --all -q --fail-above 'lm loss=0.1' | tail -2
git status --short
