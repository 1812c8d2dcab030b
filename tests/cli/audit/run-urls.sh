# SPDX-License-Identifier: Apache-2.0
# A run's URL names its repository, whatever the configuration and the environment say.
hub_runs fixture 1 2
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=octo/other
url=https://github.com/NVIDIA/Megatron-LM/actions/runs
try regild audit --runs $url/1,2 --csv - | cut -d , -f 1-4
cut -d ' ' -f 3 "$HUB_LOG" | grep -c octo || true
regild history | cut -d " " -f 1-3
try regild audit --runs 3,$url/1
# A slash more at the API's end.
GITHUB_API_URL=$GITHUB_API_URL/ try regild audit --repo NVIDIA/Megatron-LM --workflow cicd-main.yml --dry-run
GITHUB_API_URL=$GITHUB_API_URL/ try regild download -q --run $url/1 --all -o "$SCRATCH/staged"
# exit: 0
