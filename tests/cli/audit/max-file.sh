# SPDX-License-Identifier: Apache-2.0
# regild.maxFile bounds what an audit takes, wherever its runs come from, and is what the message names.
for run in 1 2 3; do golden runs/$run/golden_values_a.json 'lm loss' 1.$run; done
golden runs/2/golden_values_a.json 'lm loss' {1..30}
hub_runs fixture 1 2
hub_repository
for run in 1 2; do
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' $(seq $((run * run * 7)))
	commit $run
done
start_hub "$PWD/fixture"
audit='regild audit -q --export -'
$audit --runs 1,2 --by all 2>&1 | wc -l
git config regild.maxFile 200
echo "== folders"
try $audit --from runs/*
echo "== git's versions"
try $audit --history HEAD
echo "== what was fetched before"
git config regild.maxFile 20
try $audit --runs 1,2
# exit: 0
