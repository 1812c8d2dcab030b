# SPDX-License-Identifier: Apache-2.0
# Two kernels, two right values: a comparison takes the nearest and says which, a refresh leaves the golden alone where a variant has the value, and no variant is a golden of its own.
hub_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 8
commit
hub_run ../fixture 1 main '' a=9.5 b=8
hub_run ../fixture 2 main '' a=9.5001 b=8
hub_run ../fixture 3 main '' a=12 b=8
hub_run ../fixture 4 main '' a=8.0001 b=8
start_hub ../fixture
a=$ROOT/gpt/a/golden_values_dev.json
regild refresh -q --run 1 --all >/dev/null
(cd $ROOT/gpt && regild accept --variant b200 a/golden_values_dev.json)
git status --short
regild undo | tail -n 1
git status --short
regild accept --variant b200 $a --json - | checked_json
try regild compare -q
commit 'Keep what b200 computes'
echo '# the same bytes, and what is within noise of them: nothing to put in'
regild refresh --run 1 --all
regild refresh --run 2 --all
regild refresh --run 2 --all --dry-run --json - 2>/dev/null | checked_json | grep -A 3 '"golden"'
git status --short
echo '# near neither, and near the golden: it goes in'
regild refresh --run 3 --all
regild compare --json - 2>/dev/null | checked_json | grep -o '"variant": "b200"'
regild refresh -q --run 1 --all --json ../rows.json
grep -o '"from_run": [a-z]*' ../rows.json
regild reset -y -q >/dev/null
regild refresh -q --run 4 --all
regild reset -y -q >/dev/null
echo '# a comparison without a refresh: of a run, and of folders'
regild compare HEAD run:2 2>&1
cp -r $ROOT ../old && cp -r $ROOT ../new && cp ../old/gpt/a/golden_values_dev.variant-b200.json ../new/gpt/a/golden_values_dev.json
regild compare path:../old path:../new 2>&1
echo '# a variant is checked, and is no golden'
regild check
try regild accept --variant x ${a%.json}.variant-b200.json
try regild reject ${a%.json}.variant-b200.json --because 'no golden'
rm ${a%.json}.variant-b200.json
regild compare
