# SPDX-License-Identifier: Apache-2.0
# Of several runs, those that cannot be fetched are named, and the others count; what is missing of a run
# makes another one the one that is taken.
hub_run ../fixture 1 main '' a=11 b=5.1
hub_run ../fixture 2 main '' a=12 b=5.2
hub_run ../fixture 3 main '' a=13 b=5.3
hub_run ../fixture 5 main '"status": "in_progress",' a=13 b=5.3
hub_run ../fixture 8 main '' a=12 b=5.2
hub_run ../fixture 9 main '' a=12.5 b=5.2
sed -i '0,/"files"/s//"expired": true, &/' ../fixture/runs/8.json
sed -i 's/{"lm loss": .*12.5}}}}}/"no JSON"}}/' ../fixture/runs/9.json
export REGILD_RETRY_BASE_MS=1
start_hub ../fixture
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 5
commit
refresh() {
	echo "# $*"
	echo "# $*" >&2
	try regild refresh -q --all --json ../all.json "$@" | grep -e exit -e runs -e 'held back' || true
	[ ! -e ../all.json ] || checked_json <../all.json | sed -n '/"among": {/,/^ },/p;/"means":/p'
	git status --short
	regild undo -q 2>/dev/null || true
	rm -f ../all.json
}
refresh --runs 1,7,2,3
refresh --runs 5,1,7
refresh --runs 7,1,2 --take first
refresh --runs 7,5
echo '# nothing is staged of what did not come'
ls .git/regild/runs
refresh --runs 1,8,3
refresh --runs 8,1
refresh --runs 1,9,3
refresh --runs 9,1,3 --take first
echo >>$ROOT/gpt/b/golden_values_dev.json
refresh --runs 1,2,3
git checkout -q .
stop_hub && start_hub ../fixture --fault api:status,value=500,match=/runs/2
refresh --runs 1,2,3

echo '# Ctrl-C in the second one'
stop_hub && start_hub ../fixture --fault api:stall,match=/runs/2/,seconds=60
set -m
regild refresh -q --runs 1,2,3 --all &
set +m
# Its jobs come next, and stall.
eventually grep -qs '/runs/2 ' "$HUB_LOG"
kill -INT $!
status=0
wait $! || status=$?
echo "exit code $status"
git status --short
