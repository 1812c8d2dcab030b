# SPDX-License-Identifier: Apache-2.0
# --merge-base run:ID: a run, also a fork's, against where its commit parted from the branch, which the API says. This
# clone has to have that commit, and need not have the run's.
new_repository
git remote add origin https://github.com/o/n.git
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8
echo fixture >.git/info/exclude
commit
base=$(git rev-parse HEAD)
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4
commit later
mkdir -p fixture/runs
run() { # ID SHA MERGE_BASE
	cat >fixture/runs/$1.json <<-JSON
		{"repository": "o/n", $3 "run": {"id": $1, "created_at": "2026-03-01T04:00:00Z", "head_repository": "fork/n",
		 "event": "pull_request", "head_branch": "fix", "head_sha": "$2"}, "jobs": [{"name": "gpt/a - latest"}],
		 "artifacts": [{"name": "logs-a-$1-x", "files": {"golden_values_dev.json": {"lm loss":
		    {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 10}}}}}]}
	JSON
}
run 1 1111111111111111111111111111111111111111 "\"merge_base\": \"$base\","
run 2 2222222222222222222222222222222222222222 '"merge_base": "3333333333333333333333333333333333333333",'
run 3 4444444444444444444444444444444444444444 '"merge_base": "--upload-pack=evil",'
run 4 5555555555555555555555555555555555555555 ''
start_hub fixture
regild compare -q --merge-base run:1 --csv - | cut -d , -f 2,4
regild compare -q run:1 --csv - | cut -d , -f 2,4
regild compare -q --merge-base --base release/1.0 run:1 --csv - -- $ROOT/gpt/a | tail -n 1 | cut -d , -f 2,4
grep -c 'compare/release%2F1.0\.\.\.1111' "$HUB_LOG"
for id in 2 3 4; do try regild compare -q --merge-base run:$id; done
try regild compare --merge-base --to HEAD run:1
