# SPDX-License-Identifier: Apache-2.0
# Several runs of one change: all are fetched and tested together, and the goldens of one are put in, by
# default of the one in the middle.
hub_run ../fixture 1 main '' a=11 b=5.1 c=7 only=1
hub_run ../fixture 2 main '' a=13 b=5.3 c=7
hub_run ../fixture 3 main '' a=12 b=5.2 c=8
hub_run ../fixture 4 main '' a=10 b=5 c=7
start_hub ../fixture
hub_repository
for test in a=10 b=5 c=7; do
	golden $ROOT/gpt/${test%=*}/golden_values_dev.json 'lm loss' ${test#*=}
done
commit

echo '# the middle one'
try regild refresh --runs 1,2,3 --all --top 2 --markdown ../summary.md --json ../all.json --html ../page.html --message ../message
grep -h 'Full refresh' ../summary.md ../page.html
sed -n '/^The new runs together/,/^$/p;/^$/,/^$/p' ../summary.md | grep '^- `'
checked_json <../all.json | sed -n '/"among": {/,/^ },/p;/"new_runs": {/,/^ },/p'
cat ../message
schema-check "$REGILD_BUILD/schema" .git/regild/runs/3/manifest.json | sed -n '/"among": {/,/^ },/p'
grep -L among .git/regild/runs/*/manifest.json
regild report ../all.json | sed -n 3p | cut -c 1-80
echo '# undone as one'
regild undo --list | grep -o 'update, .*'
regild undo
git status --short
regild update -q --run 3 --message - | sed -n 3,4p
regild undo -q

echo '# the first, in their order; a golden that only another one has stays as it is'
try regild refresh -q --runs 2,1 --take first --all | tail -n 3
git status --short --untracked-files=no
regild undo -q
try regild refresh --runs 2,1 --all --dry-run
git status --short

echo '# against measured runs; a filter chooses what is reported, and not the run'
mkdir measured
for i in 1 2 3 4 5 6 7 8 9; do
	golden measured/$i/gpt/a/golden_values_dev.json 'lm loss' 10.0$((i * 7 % 10))
done
regild audit -q --model ../noise.db --from measured/*
rm -r measured
regild refresh --runs 1,2,3 --all --noise ../noise.db --filter metric=none 2>&1 | tail -n 3
regild undo -q
regild refresh -q --runs https://github.com/NVIDIA/Megatron-LM/actions/runs/1,2,3,4 --all --noise ../noise.db --filter file='*/a/*' | sed -n '/^metric   runs/,/^$/p;/new runs:/p'
regild undo -q
echo '# --only-failing'
sed -i '0,/"name": "gpt.a - latest"/s//&, "conclusion": "failure"/' ../fixture/runs/[123].json
stop_hub && start_hub ../fixture
try regild refresh --runs 1,2,3,4 --only-failing --csv -
regild undo -q
hub_run ../fixture 5 main '' a=10
stop_hub && start_hub ../fixture
try regild refresh -q --runs 4,5 --only-failing
try regild refresh -q --run 4 --only-failing
try regild refresh -q --runs 4,1 --take first --only-failing
