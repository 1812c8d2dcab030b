# SPDX-License-Identifier: Apache-2.0
# Values that jobs print into their logs become goldens: by a pattern of lines, or between two of them.
T='2026-08-21T21:30:21.1234567Z'
mkdir fixture
{
	printf '\357\273\277%s ##[group]Run train\n' "$T"
	printf '%s \033[32mstep:  1  loss:  8.049097061157227\033[0m  memory: 2.3GiB\r\n' "$T"
	printf '%s step:  2  loss:  7.50\n' "$T" "$T"
	printf '%s step: 10  loss:  nan\n%s done\n' "$T" "$T"
} >fixture/good.log
printf '%s step: 1 loss: 2\n%s --- GRADS\n%s 1 0.5\n%s   2 0.25\n%s ---\n' "$T" "$T" "$T" "$T" "$T" >fixture/both.log
printf 'step: 1 loss: ***\n--- GRADS\n1 0.5\n' >fixture/bad.log
cat >fixture/run.json <<'JSON'
{
  "repository": "pytorch/torchtitan",
  "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [
    {"name": "train/llama - 8 gpus", "conclusion": "failure", "log_file": "good.log"},
    {"name": "train/flux", "conclusion": "success", "log_file": "both.log"},
    {"name": "train/deepseek", "conclusion": "failure", "log_file": "bad.log"},
    {"name": "train/qwen", "conclusion": "failure", "log": "crashed\n"},
    {"name": "train/gone", "conclusion": "failure"},
    {"name": "train/left out", "conclusion": "skipped"},
    {"name": "lint", "conclusion": "success", "log": "step: 1 loss: 1\n"}
  ],
  "artifacts": []
}
JSON
start_hub fixture
new_repository
export GITHUB_REPOSITORY=pytorch/torchtitan
cat >.regild <<'CONFIG'
[regild]
	root = assets
	files = *.json *.txt
[source "losses"]
	log = {stage}/{test} - {tag}
	match = step: *{step} *loss: *{value}
	metric = lm loss
	target = losses/{test}.json
[source "grads"]
	log = train/*
	begin = --- GRADS
	end = ---
CONFIG
echo fixture >.gitignore
mkdir -p assets/train/flux/ && printf '1 0.5\n  2 0.25\n' >assets/train/flux/grads.txt
commit
try regild refresh --run 7 --all -v --allow nonfinite
(cd .git/regild/runs/7 && find . -type f | LC_ALL=C sort)
cat assets/losses/llama.json
git status --short

# What was kept is not asked for again; what failed is.
: >"$HUB_LOG"
try regild download --run 7 --only-failing
grep -c ^store "$HUB_LOG"
grep -c 'logs 302' "$HUB_LOG"

# A pattern that fits no job is most likely a slip.
printf '[source "slip"]\n\tlog = trian/*\n\tmatch = {step} {value}\n' >>.regild
try regild download --run 7 --all 2>&1 | grep slip
