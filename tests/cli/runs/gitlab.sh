# SPDX-License-Identifier: Apache-2.0
# Pipelines of GitLab are listed, found and waited for as GitHub's runs are.
export REGILD_POLL_MS=100
pipeline() { # ID, what else is in "pipeline"
	mkdir -p "$SCRATCH/fixture/pipelines"
	cat >"$SCRATCH/fixture/pipelines/$1.json" <<-JSON
		{"project": "group/sub/project", "project_id": 42,
		 "pipeline": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", $2},
		 "jobs": [{"name": "a", "stage": "gpt", "status": "failed", "artifacts": {"files": {"golden_values_dev.json":
		    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}}}}},
		  {"name": "b", "stage": "gpt"}, $3 {"name": "c", "stage": "gpt", "status": "canceled"}]}
	JSON
}
new_repository
touch a && commit
pipeline 1 "\"status\": \"failed\", \"sha\": \"$(git rev-parse HEAD)\"" ''
pipeline 2 '"status": "success", "source": "schedule"' ''
pipeline 3 '"status": "failed", "ref": "topic", "sha": "cafe000000000000000000000000000000000000",
	"source": "merge_request_event", "merge_request": {"iid": 12, "sha": "cafe000000000000000000000000000000000000"}' ''
pipeline 4 '"status": "running"' '{"name": "d", "stage": "gpt", "status": "running"},'
start_gitlab "$SCRATCH/fixture"
git config regild.repository "$GITLAB_URL/group/sub/project"
regild audit -q --runs "$GITLAB_URL/group/sub/project/-/pipelines/1" >/dev/null
take() {
	try regild download --source gitlab --all "$@" 2>&1 | grep -v -e 'jobs:' -e 'artifacts:' -e 'moved'
}
echo "--- the list"
regild runs --source gitlab
regild runs --source gitlab --event schedule
regild runs --source gitlab --pr 12
regild runs --source gitlab --limit 1 --json - | checked_json | tail -n 8
echo "--- the right one"
take --latest
take --latest --branch topic
take --pr 12
take --commit HEAD
echo "--- one that is still going"
take --latest --wait 0
echo "--- no token at the store"
grep -c "^store.*auth=yes" "$HUB_LOG" || true
