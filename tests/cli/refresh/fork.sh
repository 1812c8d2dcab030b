# SPDX-License-Identifier: Apache-2.0
# A fork's run: whoever owns the fork decides what it leaves, so that every golden is held back until
# --allow fork; a staging folder knows it, too.
fork_run() {
	cat >"$SCRATCH/fixture/runs/$1.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $1, "created_at": "2026-03-01T04:00:00Z", "head_branch": "main",
		         "event": "pull_request", "head_repository": $2},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$1-x", "files": {"golden_values_dev.json":
		    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}},
		    "golden_values_new.json":
		    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 1.5}}}}}]}
	JSON
}
mkdir -p "$SCRATCH/fixture/runs"
fork_run 7 '"somebody/Megatron-LM"'
fork_run 8 null
fork_run 9 '"nvidia/megatron-lm"'
start_hub "$SCRATCH/fixture"
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 7.4
commit
echo "--- held back"
try regild refresh -q --run 7 --all
git status --short
grep -e head_repository -e fork .git/regild/runs/7/manifest.json
try regild update -q --run 7 --allow dirty
echo "--- let through"
try regild update --run 7 --allow fork
grep -c '"allowed": "fork"' .git/regild/runs/7/manifest.json
git stash -q -u
try regild refresh -q --run 7 --all --allow fork --markdown - | grep -e '^- ' -e exit
git stash -q -u
echo "--- a deleted one"
try regild refresh -q --run 8 --all
echo "--- the repository's own, by another spelling"
try regild refresh -q --run 9 --all
echo "--- downloaded before forks were told"
git stash -q -u
sed -i '/^  "fork"/d; /^  "head_repository"/d' .git/regild/runs/7/manifest.json
try regild update -q --run 7
rm -r .git/regild/runs/7 # it does not fit the schema of today
