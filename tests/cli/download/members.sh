# SPDX-License-Identifier: Apache-2.0
# Megatron-LM's GitLab jobs keep each iteration and restart of a test in a folder of its own, in an artifact
# that has a name of its own: the last restart of the last iteration counts, under the name that the
# repository has for it. Another test's folder is refused, and the neighbours of it still come out.
mkdir f
cat >f/run.json <<'end'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 1, "created_at": "2026-03-04T05:00:00Z", "conclusion": "success"},
 "jobs": [{"id": 11, "name": "gpt/gpt3_tp1 - latest"}, {"id": 12, "name": "gpt/gpt3_tp1_pp2"}],
 "artifacts": [
  {"id": 21, "name": "logs-gpt3_tp1-1-x", "files": {
   "results/iteration=9/7/assets/basic/gpt3-tp1-dev-dgx-h100/golden_values_dev.json": "iteration 9",
   "results/iteration=10/1/assets/basic/gpt3-tp1-dev-dgx-h100/golden_values_dev.json": "restart 1",
   "results/iteration=10/2/assets/basic/gpt3-tp1-dev-dgx-h100/golden_values_dev.json": "restart 2",
   "results/iteration=10/2/assets/basic/gpt3-tp1-dev-dgx-h100/generations_dev_b.json": "generations",
   "results/iteration=10/2/assets/basic/gpt3-tp1-dev-dgx-h100/stdout.log": "a log",
   "golden_values_top.json": "top"}},
  {"id": 22, "name": "logs-gpt3_tp1_pp2-1-x", "files": {
   "results/iteration=0/1/assets/basic/gpt3-tp1-pp2-dev/golden_values_dev.json": "own",
   "results/iteration=0/1/assets/basic/gpt3-tp2/golden_values_dev.json": "another's"}}]}
end
start_hub f
hub_repository
try regild -v download --run 1 --all -o staged 2>&1 | grep -v -e '^moved' -e requests
staged staged
# The cache has them under the members' names: what is made of them follows the settings of today.
try regild -q download --run 1 --all -o again
staged again
git config regild.jobs.rename 'golden_values_*.json -> values_*.json'
try regild -q download --run 1 --all -o renamed
staged renamed
git config regild.jobs.members ''
try regild -q download --run 1 --all -o none
staged none
git config regild.jobs.members 'results/{test}/{file}'
try regild -q download --run 1 --all -o none
git config regild.jobs.members 'results/{file}'
git config regild.jobs.rename 'generations'
try regild -q download --run 1 --all -o none
