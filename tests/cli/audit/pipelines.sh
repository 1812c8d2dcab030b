# SPDX-License-Identifier: Apache-2.0
# Audits of pipelines on GitLab: the newest finished ones of a branch, what started them, since when; the
# history keeps what was fetched.
fixture=$SCRATCH/fixture
mkdir -p "$fixture/pipelines"
pipeline() {
	cat >"$fixture/pipelines/$1.json" <<-JSON
		{"project": "g/p", "project_id": 7,
		 "pipeline": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", "ref": "$2", "source": "$3", "status": "$4"},
		 "jobs": [{"name": "a", "stage": "gpt", "artifacts": {"files": {"golden_values_dev.json":
		    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}}}}}]}
	JSON
}
pipeline 1 main schedule success
pipeline 2 main schedule failed
pipeline 3 main push success
pipeline 4 main schedule running
pipeline 5 other schedule success
pipeline 6 main parent_pipeline success
pipeline 7 main schedule canceled
pipeline 8 refs/merge-requests/3/head merge_request_event success
start_gitlab "$fixture"
export GITLAB_HOST=$GITLAB_URL
audit="regild audit --repo g/p --pipelines main"
try $audit --dry-run
try $audit --dry-run --source schedule
try $audit --dry-run --source schedule --last 1
try $audit --dry-run --since 2026-03-02
try $audit --dry-run --since yesterday
try regild audit --repo g/p --pipelines nobody
grep -o '/pipelines?[^ ]*' "$HUB_LOG" | sort -u
echo "--- fetched, and again"
try $audit --source schedule
: >"$HUB_LOG"
try $audit --source schedule --csv - | sed -n 1,3p
grep -c artifacts "$HUB_LOG" || true
try regild audit --runs "$GITLAB_URL/g/p/-/pipelines/1,$GITLAB_URL/g/p/-/pipelines/5" --dry-run
regild history list 2>/dev/null || regild history
echo "--- wrong calls"
try $audit --branch main
try $audit --workflow ci.yml
try regild audit --history HEAD --source schedule
try regild audit --workflow ci.yml --source schedule
