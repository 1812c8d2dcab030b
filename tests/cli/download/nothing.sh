# SPDX-License-Identifier: Apache-2.0
# A run that holds nothing is not done: why it holds nothing and what to do next is said in one sentence,
# and the exit code is 4, unless all jobs passed and only failing ones were asked for. No commit is proposed.
mkdir -p ../fixture/runs
run() {
	echo "{\"repository\": \"NVIDIA/Megatron-LM\", \"run\": {\"id\": $1, \"name\": \"$2\",
		\"created_at\": \"2026-03-04T04:00:00Z\", \"conclusion\": \"success\"}, \"jobs\": [$3], \"artifacts\": [$4]}" \
		>"../fixture/runs/$1.json"
}
job() {
	echo "{\"name\": \"$1\", \"conclusion\": \"$2\"}"
}
golden='{"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1}}}'
good="$(job 'gpt/a - latest' success), $(job 'gpt/b - latest' success)"
files="{\"name\": \"logs-a-1-x\", \"files\": {\"golden_values_dev.json\": $golden}}"
run 1 CI "$good, $(job setup success), $(job later skipped)" "$files"
run 2 CI "$good, $(job build failure)" "$files"
run 3 CI "$(job 'gpt/a - latest' failure), $(job 'gpt/b - latest' success)" ''
run 4 Lint "$(job lint success), $(job docs failure)" ''
run 5 CI "$good" '{"name": "logs-a-5-x", "files": {"report.xml": "<x/>"}}'
run 6 CI "$good" '{"name": "other", "files": {"report.xml": "<x/>"}}'
run 7 CI "$good" '{"name": "logs-a-7-x", "expired": true, "files": {"golden_values_dev.json": {}}}'
run 8 CI '' ''
start_hub ../fixture
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
commit
for id in 1 2 3 4 5 6 7 8; do
	for scope in --only-failing --all; do
		[ $id$scope != 1--all ] && [ $id$scope != 2--all ] || continue
		echo "# $id $scope"
		try regild download --run $id $scope 2>&1 | grep -v -e moved -e '^regild: jobs' -e '^regild: artifacts'
		try regild refresh -q --run $id $scope --json ../all.json 2>/dev/null
		checked_json <../all.json >/dev/null
	done
done
echo '# the reports say it, too'
try regild refresh --run 3 --all --markdown ../summary.md --message ../message 2>&1
cat ../summary.md
ls ../message 2>/dev/null || true
git status --short
echo '# a job that passed'
try regild download --run https://github.com/NVIDIA/Megatron-LM/actions/runs/1/job/1002 --only-failing 2>&1

stop_hub
echo '# GitLab: a pipeline of another kind'
start_gitlab "$REGILD_TOP/fixtures/pipeline"
try regild refresh --run "$GITLAB_URL/adlr/megatron-lm/-/pipelines/31300" --all 2>&1
try regild download -q --run "$GITLAB_URL/adlr/megatron-lm/-/pipelines/31300" --only-failing 2>&1

echo '# a folder'
mkdir -p ../dl/logs-a-9-x
try regild refresh --from ../dl 2>&1
echo '{}' >../dl/logs-a-9-x/report.json
try regild download --from ../dl 2>&1
mkdir -p ../dl/logs-new-9-x && echo "$golden" >../dl/logs-new-9-x/golden_values_dev.json
try regild refresh --from ../dl 2>&1
