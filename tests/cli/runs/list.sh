# SPDX-License-Identifier: Apache-2.0
# The newest runs, what there is to take of each, and which of them the history has.
run_of() { # ID, what else is in "run", jobs, artifacts
	cat >"$SCRATCH/fixture/runs/$1.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", $2},
		 "jobs": [$3], "artifacts": [$4]}
	JSON
}
job() {
	printf '{"name": "gpt/%s - latest", "conclusion": "%s"}' "$1" "$2"
}
golden_of() { # RUN TEST
	printf '{"name": "logs-%s-%s-x", "files": {"golden_values_dev.json": {"lm loss": ' "$2" "$1"
	printf '{"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.5}}}}}'
}
mkdir -p "$SCRATCH/fixture/runs"
nightly='"path": ".github/workflows/nightly.yml", "workflow_id": 5'
run_of 1 "$nightly, \"event\": \"schedule\", \"conclusion\": \"success\"" "$(job a success)" "$(golden_of 1 a)"
run_of 2 "$nightly, \"event\": \"schedule\"" "$(job a success), $(job b failure), $(job c timed_out), $(job d skipped)" \
	"$(golden_of 2 a), $(golden_of 2 b), {\"name\": \"other\", \"files\": {\"a\": \"b\"}}"
run_of 3 "$nightly, \"event\": \"push\", \"head_branch\": \"topic\"" "$(job a failure)" \
	"{\"name\": \"logs-a-3-x\", \"expired\": true, \"files\": {\"a\": \"b\"}}"
run_of 4 '"path": ".github/workflows/ci.yml", "workflow_id": 6, "event": "pull_request", "status": "in_progress", "head_repository": "somebody/Megatron-LM"' \
	"$(job a success), {\"name\": \"gpt/b - latest\", \"status\": \"in_progress\", \"conclusion\": null}" "$(golden_of 4 a)"
start_hub "$SCRATCH/fixture"
hub_repository
regild audit --runs 1 >/dev/null
echo "--- all"
regild runs
echo "--- of a workflow"
regild runs --workflow .github/workflows/nightly.yml --limit 2
git config regild.workflow nightly.yml
regild runs --event schedule
echo "--- as JSON"
regild runs --workflow ci.yml --json - | checked_json
echo "--- none"
try regild runs --branch nobody
try regild runs --workflow other.yml
try regild runs --workflow a/
try regild runs --pr 1 --commit HEAD
