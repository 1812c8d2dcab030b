# A run's URL names its repository, whatever the configuration and the environment say.
hub_runs fixture 1 2
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=octo/other
url=https://github.com/NVIDIA/Megatron-LM/actions/runs
try regild audit --runs $url/1,2 --csv - | cut -d , -f 1-4
cut -d ' ' -f 3 "$HUB_LOG" | grep -c octo || true
(cd "$HOME" && find .local/share/regild -type f | sort)
try regild audit --runs 3,$url/1
# exit: 0
