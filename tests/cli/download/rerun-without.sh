# SPDX-License-Identifier: Apache-2.0
# A job was run again and left no artifact (it was cancelled, or its upload was refused): what it left at first is not this
# attempt's, for all of the run, for one job, and where a [source] names the job. The exit code says that it is missing.
mkdir -p attempts
cat >attempts/run.json <<'JSON'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 7, "attempt": 2, "created_at": "2026-03-04T05:00:00Z", "updated_at": "2026-03-04T09:00:00Z"},
 "jobs": [
  {"id": 11, "name": "gpt/a - latest", "conclusion": "failure", "started_at": "2026-03-04T05:10:00Z", "completed_at": "2026-03-04T05:40:00Z"},
  {"id": 12, "name": "gpt/b - latest", "conclusion": "failure", "started_at": "2026-03-04T05:10:00Z", "completed_at": "2026-03-04T05:40:00Z"},
  {"id": 13, "name": "gpt/c - latest", "conclusion": "success", "started_at": "2026-03-04T05:10:00Z", "completed_at": "2026-03-04T05:30:00Z"},
  {"id": 14, "name": "gpt/d - latest", "conclusion": "failure", "started_at": "2026-03-04T05:10:00Z", "completed_at": "2026-03-04T05:40:00Z"},
  {"id": 21, "name": "gpt/a - latest", "conclusion": "cancelled", "attempt": 2, "replaces": 11, "started_at": "2026-03-04T07:10:00Z", "completed_at": "2026-03-04T07:11:00Z"},
  {"id": 22, "name": "gpt/b - latest", "conclusion": "failure", "attempt": 2, "replaces": 12, "started_at": "2026-03-04T07:10:00Z", "completed_at": "2026-03-04T07:50:00Z"},
  {"id": 24, "name": "gpt/d - latest", "conclusion": "success", "attempt": 2, "replaces": 14, "started_at": "2026-03-04T07:10:00Z", "completed_at": "2026-03-04T07:50:00Z"}],
 "artifacts": [
  {"id": 111, "name": "logs-a-7-aa", "created_at": "2026-03-04T05:39:00Z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 1.5}}}}},
  {"id": 112, "name": "logs-b-7-bb", "created_at": "2026-03-04T05:39:00Z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 2.5}}}}},
  {"id": 113, "name": "logs-c-7-cc", "created_at": "2026-03-04T05:29:00Z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 3.5}}}}},
  {"id": 114, "name": "logs-d-7-dd", "created_at": "2026-03-04T05:39:00Z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 4.5}}}}},
  {"id": 122, "name": "logs-b-7-ee", "created_at": "2026-03-04T07:49:00Z", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 2.25}}}}}]}
JSON
start_hub attempts
hub_repository
url=https://github.com/NVIDIA/Megatron-LM/actions/runs/7
show() {
	echo "== $*"
	try regild download "$@" -o ../staged
	staged ../staged
	[ ! -e ../staged/manifest.json ] || checked_json <../staged/manifest.json >/dev/null
	rm -rf ../staged
}
{
	show --run 7 --all
	show --run 7 --all --attempt 2
	show --run 7 --all --attempt 1
	show --run 7 --only-failing
	show --run "$url/job/21"
	printf '[source "it"]\n\tartifact = logs-{test}-{run}-{unique}\n\tjob = {stage}/{test} - {tag}\n\tmembers = {file}\n\ttarget = {stage}/{test}/{file}\n' >.regild
	show --run 7 --all
	rm .regild
	echo '== the message says so'
	try regild refresh --run 7 --only-failing --message ../message
	cat ../message
} 2>&1 | grep -v moved

# A job of GitLab that was retried and left nothing.
stop_hub
mkdir -p pipeline
cat >pipeline/pipeline.json <<'JSON'
{"project": "group/project", "project_id": 42,
 "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z", "status": "failed"},
 "jobs": [
  {"name": "a", "stage": "gpt", "status": "failed", "retried": true, "started_at": "2026-03-01T04:10:00Z", "finished_at": "2026-03-01T04:20:00Z",
   "artifacts": {"files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 1.5}}}}}},
  {"name": "a", "stage": "gpt", "status": "failed", "started_at": "2026-03-01T05:10:00Z", "finished_at": "2026-03-01T05:20:00Z"},
  {"name": "b", "stage": "gpt", "status": "failed", "retried": true, "started_at": "2026-03-01T04:10:00Z", "finished_at": "2026-03-01T04:20:00Z",
   "artifacts": {"files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 2.5}}}}}},
  {"name": "b", "stage": "gpt", "status": "failed", "started_at": "2026-03-01T05:10:00Z", "finished_at": "2026-03-01T05:20:00Z",
   "artifacts": {"files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 2.25}}}}}}]}
JSON
start_gitlab pipeline
show --run "$GITLAB_URL/group/project/-/pipelines/9" --all 2>&1 | grep -v moved
