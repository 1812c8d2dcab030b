# SPDX-License-Identifier: Apache-2.0
# What was rejected does not come in again, with the reason; other values of the golden do, and --allow rejected takes it.
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 8
commit
hub_run ../fixture 1 main '' a=9.5 b=9.5
hub_run ../fixture 2 main '' a=9.25 b=9.5
start_hub ../fixture
regild refresh -q --run 1 --all >/dev/null
try regild reject $ROOT/gpt/a/golden_values_dev.json
(cd $ROOT/gpt && regild reject a/golden_values_dev.json --because 'measured on a broken node')
regild reject $ROOT/gpt/a/golden_values_dev.json --because 'said twice'
regild reject $ROOT/gpt/b/golden_values_dev.json --because 'b is wrong, too' --json - | checked_json
cat .regild-rejected
git status --short
regild reset -y | tail -n 1
echo '# held back, each with its reason; to be taken only by name'
try regild refresh -q --run 1 --all --json ../rows.json
git status --short
{ regild refresh -q --run 1 --all --dry-run --json - || echo "exit code $?" >&2; } 2>../said | checked_json | grep -e '"held' -e '"why"' -e '"call"'
tail -n 1 ../said
echo '# another run has other values of a'
try regild refresh -q --run 2 --all | sed -n '/held back/p'
git status --short
regild reset -y -q >/dev/null
regild refresh -q --run 1 --all --allow rejected | sed -n 1,2p
git status --short
