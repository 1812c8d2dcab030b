# SPDX-License-Identifier: Apache-2.0
# A wrong call of several runs touches nothing.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
commit
url=https://github.com/NVIDIA/Megatron-LM/actions/runs
try regild refresh --runs 1,2
try regild refresh --runs 1 --all
try regild refresh --runs 1,,2 --all
try regild refresh --runs 1,two --all
try regild refresh --runs 1,2,$url/1/attempts/2 --all
try regild refresh --runs 1,2 --run 3 --all
try regild refresh --runs 1,2 --latest --all
try regild refresh --runs 1,2 --from . --all
# Each of the runs has the paths that the call names, however many these are.
try regild refresh --runs 1,2 --all --from . $(seq 3000)
try regild refresh --runs 1,2 --take last --all
try regild refresh --run 1 --take first --all
try regild refresh --runs 1,2 .
try regild refresh --run 1 --run 2 --all
try regild download --run 1 --run $url/2 --all
try regild update --run 1 --run 2
try regild refresh --run 1 --run 1 --runs 2,3 --all
try regild refresh --runs $url/1/job/3,2 --all
GITHUB_TOKEN=wrong try regild refresh --runs 1,2 --all
git status --short
find .git/regild -type f 2>/dev/null || true
