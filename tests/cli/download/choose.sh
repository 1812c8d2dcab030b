# SPDX-License-Identifier: Apache-2.0
# On a terminal a run is chosen from the last ten, and one of several workflows.
needs_terminal
run_of() { # ID, what else is in "run"
	mkdir -p "$SCRATCH/fixture/runs"
	cat >"$SCRATCH/fixture/runs/$1.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", $2},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$1-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}}}}]}
	JSON
}
run_of 1 '"path": ".github/workflows/ci.yml", "workflow_id": 5'
run_of 2 '"path": ".github/workflows/ci.yml", "workflow_id": 5'
run_of 3 '"path": ".github/workflows/nightly.yml", "workflow_id": 6'
start_hub "$SCRATCH/fixture"
hub_repository
echo "--- from the list"
answer "regild download" '?\n' '4\n' '2\n' 'n\n' 'y\n'
echo "--- none"
answer "regild download --all" 'q\n'
answer "regild download --all" '\004'
echo "--- of several workflows"
answer "regild refresh -q --latest --all --dry-run" '2\n'
