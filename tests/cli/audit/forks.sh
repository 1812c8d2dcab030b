# SPDX-License-Identifier: Apache-2.0
# An audit of a branch takes no fork's branch of that name.
hub_runs "$SCRATCH/fixture" 1 2 3 4 5
for run in 2 4; do
	sed -i 's|"conclusion": "success"}|"conclusion": "success", "head_repository": "somebody/Megatron-LM"}|' \
		"$SCRATCH/fixture/runs/$run.json"
done
start_hub "$SCRATCH/fixture"
hub_repository
audit="regild audit --workflow cicd-main.yml -v --dry-run"
try $audit --branch main --last 2
try $audit --branch main
echo "--- of any branch, forks' runs are taken as before"
try $audit
