# SPDX-License-Identifier: Apache-2.0
# A pipeline of a project that the token may not read hangs off the run's: what could be read goes in, the
# summary says what is missing, and an audit asks again.
fixture=$SCRATCH/fixture
mkdir -p "$fixture/pipelines"
cat >"$fixture/pipelines/1.json" <<'JSON'
{"project": "g/p", "project_id": 7, "pipeline": {"id": 1, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "a", "stage": "gpt", "artifacts": {"files": {"golden_values_dev.json":
   {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.5}}}}}}],
 "bridges": [{"name": "closed", "stage": "more", "downstream": {"id": 9, "project_id": 8, "status": "success"}}]}
JSON
start_gitlab "$fixture"
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
commit
try regild refresh --run "$GITLAB_URL/g/p/-/pipelines/1" --all --markdown ../summary.md 2>&1 |
	grep -e warning -e '^1 of 2' -e '^1 updated' -e 'exit code'
grep -A2 '^\*\*Missing' ../summary.md
try regild audit --runs "$GITLAB_URL/g/p/-/pipelines/1" --csv /dev/null -q
try regild audit --runs "$GITLAB_URL/g/p/-/pipelines/1" --dry-run
