# SPDX-License-Identifier: Apache-2.0
# The right run, found by a pull request, a commit or a branch, of the workflow that is named.
run_of() { # ID, what else is in "run"
	cat >"$SCRATCH/fixture/runs/$1.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", $2},
		 "pulls": [{"number": 12, "head_sha": "cafe000000000000000000000000000000000000"},
		           {"number": 13, "head_sha": "0000000000000000000000000000000000000000"}],
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$1-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}}}}]}
	JSON
}
hub_repository
git tag here
mkdir -p "$SCRATCH/fixture/runs"
ci='"path": ".github/workflows/ci.yml", "workflow_id": 5'
nightly='"path": ".github/workflows/nightly.yml", "workflow_id": 6'
topic='"head_branch": "topic"'
run_of 1 "$ci, \"head_sha\": \"$(git rev-parse HEAD)\""
run_of 2 "$ci"
run_of 3 "$nightly"
run_of 4 "$ci, $topic, \"head_sha\": \"cafe000000000000000000000000000000000000\", \"head_repository\": \"somebody/Megatron-LM\""
run_of 5 "$ci, \"head_repository\": \"somebody/Megatron-LM\""
run_of 6 "$ci, \"status\": \"in_progress\""
start_hub "$SCRATCH/fixture"
take() {
	rm -rf .git/regild
	try regild download --all "$@" 2>&1 | grep -v -e 'jobs:' -e 'artifacts:' -e 'moved'
}
echo "--- several workflows, and none is named"
take --latest
echo "--- one of them: neither the fork's run 5 nor run 6, which is going on"
take --latest --workflow ci.yml -v | grep -v -e "^regild: job " -e "^regild: artifact "
take --latest --workflow .github/workflows/nightly.yml
git config regild.workflow ci.yml
take --latest
take --latest --workflow 6
take --latest --in-progress
echo "--- of a branch: the one that is checked out, or --branch"
git checkout -q -b topic
take --latest
take --latest --branch main
git checkout -q --detach
take --latest
echo "--- of a pull request, also from a fork"
take --pr 12
take --pr 13
take --pr 14
echo "--- of a commit"
take --commit here
take --commit "$(git rev-parse here)"
take --commit cafe000000000000000000000000000000000000
take --commit HEAD~5
take --commit 0000000000000000000000000000000000000000
echo "--- one of them alone"
take
take --run 1 --latest
take --pr 1 --commit HEAD
take --branch main
take --run 1 --branch main
take --run 1 --workflow ci.yml
take --pr 0
echo "--- refresh, too"
try regild refresh -q --latest --branch main --all --dry-run
