# SPDX-License-Identifier: Apache-2.0
# The goldens of failing jobs, with all that is said about them.
start_hub "$REGILD_TOP/fixtures/demo"
new_repository
git remote add origin git@github.com:NVIDIA/Megatron-LM.git
touch a && commit
try regild download --run 22651183945 --only-failing -v
(cd .git/regild/runs/22651183945 && find . -type f | LC_ALL=C sort)
tail -n 2 .git/regild/runs/22651183945/manifest.json
git status --short
