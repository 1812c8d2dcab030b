# SPDX-License-Identifier: Apache-2.0
# A run that is still going is waited for; what has not changed is asked for by its ETag.
export REGILD_POLL_MS=100 REGILD_RETRY_BASE_MS=100
run_of() { # FIXTURE, status, the second job's
	mkdir -p "$SCRATCH/$1/runs"
	cat >"$SCRATCH/$1/runs/7.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z", "status": "$2"},
		 "jobs": [{"name": "gpt/a - latest", "conclusion": "failure"}, {"name": "gpt/b - latest", $3}],
		 "artifacts": [{"name": "logs-a-7-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 7.5}}}}}]}
	JSON
}
answered() { # STATUS, at least so often
	[ "$(grep -c "GET /repos/[^ ]*/jobs[^ ]* $1 " "$HUB_LOG")" -ge "$2" ]
}
run_of going in_progress '"status": "in_progress", "conclusion": null'
run_of done completed '"conclusion": "success"'
hub_repository
start_hub "$SCRATCH/going"
echo "--- not without --wait, and not for ever"
try regild download --run 7 --all
try regild download --run 7 --all --wait 0
try regild download --run 7 --all --wait=1
try regild download --run 7 --all --wait --in-progress
echo "--- interrupted, while it waits"
REGILD_POLL_MS=60000 regild download --run 7 --all --wait >out 2>&1 &
eventually grep -qs 'jobs done' out
kill -TERM $!
wait $! || echo "exit code $?"
cat out
echo "--- until it has finished"
stop_hub
start_hub "$SCRATCH/going"
regild download --latest --all --wait >out 2>&1 &
waiting=$!
eventually answered 304 3
port=${GITHUB_API_URL##*:}
stop_hub
start_hub "$SCRATCH/done" --port "$port"
wait $waiting || echo "exit code $?"
grep -v 'moved' out
