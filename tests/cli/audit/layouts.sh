# SPDX-License-Identifier: Apache-2.0
# Two configurations of one repository: neither is given the goldens that the other stored, other files
# or other places; each has its own again when it comes back, without the network.
mkdir -p fixture/runs
for id in 1 2; do
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "head_branch": "main",
		         "path": ".github/workflows/nightly.yml"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "files":
		    {"golden_values_dev.json": {"lm loss": [10.$id]}, "other.json": {"mem": [$id]}}}]}
	JSON
done
start_hub "$PWD/fixture"
new_repository
audit="try regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --export -"
$audit
echo "== other files"
git config regild.files other.json
$audit
echo "== another place"
git config regild.jobs.target '{stage}/other/{test}/{file}'
$audit
git config regild.root goldens
git config --unset regild.jobs.target
$audit
echo "== the first again"
stop_hub
git config --remove-section regild
$audit
# exit: 0
