# SPDX-License-Identifier: Apache-2.0
# Runs of which no test failed, whose artifacts expired, of a fork, of one job alone, of an earlier attempt, and of GitLab;
# and what a triage is refused for.
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 8
commit
base=$(git rev-parse HEAD)
mkdir -p ../fixture/runs ../gitlab/pipelines
values='"files": {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 10}}}}'
run() { # ID RUN TOP JOBS MORE_OF_ARTIFACTS
	echo "{\"repository\": \"NVIDIA/Megatron-LM\", $3 \"run\": {\"id\": $1, \"created_at\": \"2026-03-01T04:00:00Z\", $2 \"head_branch\": \"main\"},
		\"jobs\": [$4], \"artifacts\": [{\"name\": \"logs-a-$1-x\", $5 $values}, {\"name\": \"logs-b-$1-x\", $5 $values}]}" >../fixture/runs/$1.json
}
failed='{"name": "gpt/a - latest", "conclusion": "failure"}, {"name": "gpt/b - latest", "conclusion": "failure"}'
run 1 '' '' '{"name": "gpt/a - latest"}, {"name": "gpt/b - latest"}, {"name": "build", "conclusion": "failure"}'
run 2 '' '' "$failed" '"expired": true,'
run 3 '"event": "pull_request", "head_repository": "fork/n", "head_sha": "1111111111111111111111111111111111111111",' "\"merge_base\": \"$base\"," "$failed"
run 4 '"head_sha": "2222222222222222222222222222222222222222",' '"merge_base": "3333333333333333333333333333333333333333",' "$failed"
run 5 '"status": "in_progress",' '' "$failed"
start_hub ../fixture
for id in 1 2 3 4 5 99; do
	echo "# run $id"
	try regild triage $id
done
echo '# against another revision, of one job, of an attempt that is not there'
try regild triage 4 --base HEAD | grep ^run
try regild triage 4 --base nothing
try regild triage https://github.com/NVIDIA/Megatron-LM/actions/runs/3/job/3002 | grep -e ' gpt/' -e ^run
try regild triage 3 --attempt 2
echo '# what is not a call'
try regild triage
try regild triage main
try regild triage 3 --noise-level 0.1
try regild triage 3 --noise nothing.json
regild triage 1 --json - | checked_json | grep outcome
stop_hub
echo '# a pipeline'
echo "{\"project\": \"group/p\", \"pipeline\": {\"id\": 9, \"created_at\": \"2026-03-01T04:00:00Z\", \"status\": \"failed\", \"sha\": \"$base\"},
	\"jobs\": [{\"name\": \"a\", \"stage\": \"gpt\", \"status\": \"failed\", \"artifacts\": {$values}}]}" >../gitlab/pipelines/9.json
start_gitlab ../gitlab
try regild triage "$GITLAB_URL/group/p/-/pipelines/9"
