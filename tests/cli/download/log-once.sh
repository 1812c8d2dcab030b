# SPDX-License-Identifier: Apache-2.0
# A job's log is asked for once, however many [source] sections read it: each takes what is its own, and what one of them
# refuses the others still take. What the cache has of one of them is not read again.
{
	printf 'step: 1 loss: 2.5\nstep: 1 norm: 3.5\n--- GRADS\n1 0.5\n---\n'
	printf 'step: 2 loss: 2.25\nstep: 2 norm: ***\n'
} >both.log
cat >run.json <<'JSON'
{
  "repository": "pytorch/torchtitan",
  "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "train/llama", "conclusion": "success", "log_file": "both.log"},
           {"name": "train/gone", "conclusion": "failure"}],
  "artifacts": []
}
JSON
start_hub .
new_repository
export GITHUB_REPOSITORY=pytorch/torchtitan
cat >.regild <<'CONFIG'
[regild]
	root = assets
	files = *.json *.txt
[source "losses"]
	log = {stage}/{test}
	match = step: {step} loss: {value}
[source "norms"]
	log = {stage}/{test}
	match = step: {step} norm: {value}
[source "grads"]
	log = {stage}/{test}
	begin = --- GRADS
	end = ---
CONFIG
try regild download --run 7 --all -v -o staged
find staged/files -type f -exec cat {} +
find staged -type f | LC_ALL=C sort
grep -c 'logs 302' "$HUB_LOG"
grep -c '^store' "$HUB_LOG"
