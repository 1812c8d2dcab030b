# SPDX-License-Identifier: Apache-2.0
# The newest runs of a workflow: what the history has is not fetched again, runs of another branch are
# another group, what is gone is said, and what has expired since is still there.
run_file() {
	local id=$1 branch=$2 value=$3 expired=$4
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "NVIDIA/Megatron-LM",
		 "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "conclusion": "success",
		         "head_branch": "$branch", "path": ".github/workflows/nightly.yml"},
		 "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$id-x", "expired": $expired, "files":
		    {"golden_values_dev.json": {"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1,
		                                "values": {"1": $value, "2": 9.5}}}}}]}
	JSON
}
mkdir -p fixture/runs
for id in 1 2 3 4 5; do run_file $id main 10.$((id * 3 % 5)) false; done
run_file 6 feature 12.5 false
run_file 7 main 10.5 true
start_hub "$PWD/fixture"
audit="regild audit --repo NVIDIA/Megatron-LM"
try $audit --workflow .github/workflows/nightly.yml --last 6
(cd "$HOME" && find .local .cache/regild/tmp -type f | sort)
regild history
requests() {
	grep -c "$1" "$HUB_LOG" || true
}
echo "zips: $(requests '^api GET .*/zip')"
try $audit --workflow nightly.yml --last 2 --dry-run
echo "== again: only the list, and what could not be had"
: >"$HUB_LOG"
try $audit -q --workflow nightly.yml --last 6 --csv runs.csv
echo "zips: $(requests '^api GET .*/zip')"
cut -d, -f1-4 runs.csv
echo "== run again, and expired since: what the history has stays"
stop_hub
run_file 5 main 99 true
sed -i 's/"run": {/"run": {"attempt": 2, /' fixture/runs/5.json
start_hub "$PWD/fixture"
try $audit --workflow nightly.yml --last 3 --branch main --csv - | cut -d , -f 1-4
try $audit --workflow nightly.yml --last 3 --branch main --dry-run
echo "== expired since, by id, without the network"
stop_hub
try $audit -q --runs 2,4,3 --runs 5,2 --json - --by all | grep -E '"id"|"num_runs"'
echo "== damaged: refused, with a way out, and not written over"
stored=$HOME/.local/share/regild/history.db
printf 'no database at all, and longer than a header is %0100d' 0 | dd of="$stored" conv=notrunc status=none
try $audit -q --runs 2,4 --by all
try $audit --runs 8 --dry-run
try regild history
head -c 22 "$stored" && echo
echo "== wrong calls"
try $audit --runs 2x
try $audit --runs 2 --last 3
try $audit --runs 2 --workflow x.yml
try $audit --workflow x.yml --since yesterday
try $audit --workflow x.yml --since 2026-02-29
# exit: 0
