# SPDX-License-Identifier: Apache-2.0
# The history is kept for good: a run that has not finished and a file that is none stop nobody else.
mkdir -p fixture/runs
for id in 1 2 3 4; do
	status=completed
	[ $id -ne 4 ] || status=in_progress
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "head_branch": "main",
		         "status": "$status", "path": ".github/workflows/nightly.yml"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 10.$id}}}}}]}
	JSON
done
cat >fixture/runs/5.json <<'JSON'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 5, "created_at": "2026-03-05T04:00:00Z", "head_branch": "main", "path": ".github/workflows/nightly.yml"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-5-x", "files": {"golden_values_dev.json": {"lm loss": [10.5]},
                "golden_values_lts.json": "{"}}]}
JSON
start_hub "$PWD/fixture"
audit="regild audit --repo NVIDIA/Megatron-LM --csv -"
runs() {
	try "$@" | sed 's/^main,[^,]*,\(lm loss,[0-9]*\),.*/\1/; s/^group,.*/metric,runs/'
}
echo "== one has not finished"
runs $audit --runs 1,4,2,3
echo "== a golden that is none is tried again"
runs $audit --runs 1,5
runs $audit --runs 1,5
echo "== other settings: the run is another one"
git init -q other
git config -f other/.regild regild.files 'golden_values_dev.json'
runs $audit -C other --runs 5
regild history | cut -d ' ' -f 1-2,7-
# exit: 0
