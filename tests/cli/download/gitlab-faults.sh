# SPDX-License-Identifier: Apache-2.0
# What may be wrong with a GitLab and its answers: limits, lists that go in circles, pipelines that hang off
# each other or cannot be read, names that lead out of the folder.
fixture=$SCRATCH/fixture
mkdir -p "$fixture/pipelines"
value='{"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.5}}}'
cat >"$fixture/pipelines/1.json" <<JSON
{"project": "g/p", "project_id": 7, "pipeline": {"id": 1, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "a", "stage": "gpt", "artifacts": {"files": {"golden_values_dev.json": $value},
    "filler": {"name": "log", "size": 300000}}},
  {"name": "../../b", "stage": "gpt", "artifacts": {"files": {"golden_values_dev.json": $value}}}],
 "bridges": [{"name": "round", "stage": "more", "downstream": 2},
  {"name": "closed", "stage": "more", "downstream": {"id": 9, "project_id": 8, "status": "success"}},
  {"name": "nowhere", "stage": "more", "status": "failed"}]}
JSON
cat >"$fixture/pipelines/2.json" <<JSON
{"project": "g/p", "project_id": 7, "pipeline": {"id": 2, "created_at": "2026-03-01T04:00:00Z", "source": "parent_pipeline"},
 "jobs": [{"name": "c", "stage": "gpt", "status": "failed", "artifacts": {"files": {"golden_values_dev.json": $value}}}],
 "bridges": [{"name": "back", "stage": "more", "downstream": 1}, {"name": "again", "stage": "more", "downstream": 2}]}
JSON
export REGILD_RETRY_BASE_MS=1 REGILD_LIMIT_BASE_MS=1
# The first of the requests side by side that the limit holds back says so.
ask() {
	echo "--- $*"
	start_gitlab "$fixture" "$@"
	try regild download --run "$GITLAB_URL/g/p/-/pipelines/1" --all --no-cache --max-wait 5 -o staged 2>&1 |
		sed 's/another [0-9]* s /another N s /; s/: \(bridges of \)*\(pipeline 1: GitLab.s rate\)/: \2/' |
		grep -v -e moved -e 'regild: jobs:' -e 'regild: artifacts:'
	rm -rf staged
	stop_hub
}
ask
ask --no-tree
ask --fault api:primary,seconds=40,match=/bridges
ask --fault api:secondary,seconds=1,match=/bridges,first=1,every=1
ask --fault api:status,value=502,match=/tree,first=1,every=1
ask --fault api:link-loop,match=1/jobs
ask --fault api:html,match=1/jobs
ask --fault api:missing,field=name,match=1/jobs
ask --fault api:type,field=downstream_pipeline,match=/bridges
ask --fault api:cut,match=golden_values,first=1,every=1
ask --no-tree --fault store:forbidden,first=2
ask --no-tree --fault store:redirect-loop
ask --no-tree --fault api:redirect-loop,match=artifacts
ask --no-tree --fault api:downgrade,match=artifacts
ask --no-tree --fault store:flip,match=/1001
