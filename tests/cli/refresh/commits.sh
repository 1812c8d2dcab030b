# SPDX-License-Identifier: Apache-2.0
# A run of a commit that HEAD does not contain is taken, as that of a branch that was squashed, and the
# summary names it. In a shallow clone it may not be known.
run_of() {
	mkdir -p "$SCRATCH/fixture/runs"
	cat >"$SCRATCH/fixture/runs/$1.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $1, "created_at": "2026-03-01T04:00:00Z", "head_sha": "$2"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$1-x", "files": {"golden_values_dev.json":
		    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": $1.5}}}}}]}
	JSON
}
said() {
	try regild refresh --run "$1" --all --markdown - --json "$SCRATCH/json" 2>&1 |
		grep -e '^- 1 of 1 golden' -e 'commit .* history' -e exit
	grep -o "the run's commit[^\"]*" "$SCRATCH/json" || true
	git checkout -q .
}
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 7.4
commit one
git tag one
golden other 'lm loss' 1
commit three
git checkout -q -b side one
golden side 'lm loss' 1
commit side
git checkout -q main
run_of 1 "$(git rev-parse one)"
run_of 2 "$(git rev-parse HEAD)"
run_of 3 "$(git rev-parse side)"
run_of 4 0123456789012345678901234567890123456789
start_hub "$SCRATCH/fixture"
for run in 1 2 3 4; do
	echo "--- $run"
	said $run
done
echo "--- without a comparison"
try regild update --run 4 --dry-run
echo "--- in a shallow clone: HEAD's own is known, an older one is not"
git clone -q --depth 1 "file://$PWD" "$SCRATCH/shallow"
cd "$SCRATCH/shallow"
git remote set-url origin https://github.com/NVIDIA/Megatron-LM.git
said 2
said 1
