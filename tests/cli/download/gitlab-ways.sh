# SPDX-License-Identifier: Apache-2.0
# Kilobytes of a job's archive: its files by themselves where the instance lists them, else ranges of the
# zip, else the whole zip as it comes. -v says which. The same goldens come out.
fixture=$SCRATCH/fixture
mkdir -p "$fixture/pipelines"
cat >"$fixture/pipelines/9.json" <<'JSON'
{"project": "g/sub/p", "project_id": 7,
 "pipeline": {"id": 9, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "a", "stage": "gpt", "artifacts": {
   "files": {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.5}}}},
   "filler": {"name": "logs/a b.log", "size": 4000000}}},
  {"name": "b", "stage": "gpt", "artifacts": {
   "files": {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 2.5}}}},
   "filler": {"name": "logs/a b.log", "size": 4000000}}}]}
JSON
way() {
	echo "--- $*"
	start_gitlab "$fixture" "${@:2}"
	eval "regild download --run '$GITLAB_URL/g/sub/p/-/pipelines/9' --no-cache -v -j 1 -o out $1" \
		2>&1 | grep -e 'files were' -e 'zip' -e moved
	stop_hub
	grep -o -e '^[a-z]* GET .*artifacts.* range=[^ ]*' "$HUB_LOG" |
		sed -e 's/bytes=0-0/the first byte/' -e 's/bytes=[0-9]*-[0-9]*/part/'
	cat out/files/gpt/*/golden_values_dev.json | sha256sum
	rm -r out "$HUB_LOG"
}
way --all
way --all --no-tree
way --all --no-tree --stream
way --all --no-tree --fault store:no-ranges
way '--all --whole'
