# A run's URL names its repository, whatever the configuration and the environment say.
mkdir -p fixture/runs
for id in 1 2; do
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "conclusion": "success"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "files":
		    {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1,
		                                "values": {"1": $id.5}}}}}]}
	JSON
done
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=octo/other
url=https://github.com/NVIDIA/Megatron-LM/actions/runs
try regild audit --runs $url/1,2 --csv - | cut -d , -f 1-4
cut -d ' ' -f 3 "$HUB_LOG" | grep -c octo || true
(cd "$HOME" && find .local/share/regild -type f | sort)
try regild audit --runs 3,$url/1
# exit: 0
