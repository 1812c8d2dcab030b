# SPDX-License-Identifier: Apache-2.0
# torchtitan keeps printed losses, a step and its value a line: by a pattern of lines, or as its own comparison
# of losses prints them where it fails. What is written is what was printed.
T='2026-08-21T21:30:21.1234567Z'
mkdir fixture
{
	echo "$T [LOSS_COMPARE] Starting baseline-only run"
	for rank in 0 1; do
		echo "$T [rank$rank]:[titan] step:  1  loss:  8.048333168029785  grad_norm:  1.5"
		printf '%s [rank%s]:\033[32mstep:  2  loss:  7.7511491775512695\033[0m\r\n' "$T" "$rank"
		echo "$T [rank$rank]:[titan] step: 10  loss:  2.70  grad_norm:  0.5"
	done
	echo "$T [LOSS_COMPARE] Note that you should verify it first!!!"
	printf '%s %s\n' "$T" '1 8.048333168029785' "$T" '2 7.7511491775512695' "$T" '10 2.70' "$T" '[LOSS_COMPARE] '
} >fixture/good.log
cat >fixture/run.json <<'JSON'
{
  "repository": "pytorch/torchtitan",
  "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "losses (llama3_cuda)", "conclusion": "failure", "log_file": "good.log"}],
  "artifacts": []
}
JSON
start_hub fixture
new_repository
export GITHUB_REPOSITORY=pytorch/torchtitan
cat >.regild <<'CONFIG'
[regild]
	root = losses
	files = none.txt
[source "losses"]
	log = losses ({test})
	match = step: *{step} *loss: *{value}
	target = {test}.txt
[source "printed"]
	log = losses ({test})
	begin = [LOSS_COMPARE] Note that you should verify it first!!!
	end = [LOSS_COMPARE]
	target = printed/{test}.txt
[table "*.txt"]
	value = loss
CONFIG
echo fixture >.gitignore
mkdir losses
printf '1 8.048327445983887\n2 7.7511491775512695\n10 2.71\n' >losses/llama3_cuda.txt
commit
regild refresh --run 7 --all
cat losses/llama3_cuda.txt
cmp losses/llama3_cuda.txt losses/printed/llama3_cuda.txt
