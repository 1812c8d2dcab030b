# SPDX-License-Identifier: Apache-2.0
# Steps and metrics that the new side lost: they break the gates that look at them, and every report
# begins with them, for figures of what is left look fine.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 3 2 1 -- 'num-zeros' 5 5
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 3 2 1
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 3 2
echo "== the limits"
try regild compare -q --fail-above 'lm loss=0'
try regild compare -q --csv /dev/null --fail-above 0.5 --allow shrink
try regild compare -q --csv /dev/null --fail-above 'num*=0.5'
try regild compare --allow nonfinite
echo "== the levels"
printf '[metric "lm loss"]\n\tnoise = 1e-3\n\tflag = 1e-2\n\tfail = 0.1\n\tsteps = 1..3\n' >.regild
try regild compare -q --columns file,n_steps,level
try regild compare -q --columns file,n_steps,level --allow shrink
echo "== the summary"
regild compare -q --allow shrink --markdown -
echo "== the page"
regild compare -q --allow shrink --html - | sed -n '/<h1>/,/<p>Old/p'
echo "== JSON"
regild compare -q --allow shrink --json - | checked_json | sed -n '1,/^ }/p'
echo "== nothing is lost"
git checkout -q $ROOT
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 3 2 1 0
regild compare -q
regild compare -q --json - | checked_json | sed -n '/"shrunk"/,/^ }/p'
echo "== many"
git checkout -q $ROOT
for i in {10..35}; do
	golden $ROOT/gpt/$i/golden_values_dev.json 'lm loss' 4 3 -- 'num-zeros' 5
done
commit
for i in {10..35}; do
	golden $ROOT/gpt/$i/golden_values_dev.json 'lm loss' 4 3
done
try regild compare -q --filter metric=num-zeros
