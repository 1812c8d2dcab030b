# What one run has used up of the rate limit is known to the next: it is not asked in vain.
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
# The run, its jobs, its artifacts, and the address of one.
start_hub "$PWD/fixture" --rate-limit 4
try regild audit --repo NVIDIA/Megatron-LM --runs 1,2 2>err
sed 's/another [0-9]* min [0-9]* s/another N min/' err
grep '^api' "$HUB_LOG" | cut -d ' ' -f 2-4 | sort
# exit: 0
