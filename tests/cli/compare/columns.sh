# SPDX-License-Identifier: Apache-2.0
# Picking, sorting and filtering; texts and tokens; gates.
new_repository
git config regild.files '*.json'
mkdir -p $ROOT/{gpt,moe}/t
golden $ROOT/gpt/t/golden_values.json "lm loss" 1 2 0 NaN 5 -- b 1 1 1
golden $ROOT/moe/t/golden_values.json "lm loss" 1 2 3 -- only-old 1
echo '{"0": {"generated_text": "a cat sat", "generated_tokens": [1, 2, 3], "latency": 2.0}}' >$ROOT/moe/t/inference.json
commit
golden $ROOT/gpt/t/golden_values.json "lm loss" 1 3 0 1 NaN -- b 1 1 1
golden $ROOT/moe/t/golden_values.json "lm loss" 1 2 3.5 -- only-new 1
echo '{"0": {"generated_text": "a cap sat", "generated_tokens": [1, 2, 4, 5], "latency": 1.0}}' >$ROOT/moe/t/inference.json

echo '# plain'
regild compare -v
echo '# columns'
regild compare -q --columns stage,test,metric,max_ulps,identical,first_diff,max_abs_rel_step
echo '# sorted'
regild compare -q --columns metric,max_abs --sort max_abs
regild compare -q --columns metric,max_abs --sort -metric --csv -
regild compare -q --columns metric,max_abs --sort max_abs --top 2
for column in n_steps max_abs_rel_step identical; do
	regild compare -q --columns metric,$column --sort -$column --csv -
done
regild compare -q --columns metric --sort -metric --html page.html
grep '^<tr id="row' page.html | sed 's/<.td>.*//; s/.*<td>//' | tail -n 4
echo '# filtered'
regild compare -q --filter stage=moe --filter 'metric=*loss' --filter 'metric=0/lat*' --csv -
regild compare --filter 'file=*/gpt/*' --filter 'file=*nothing*' --filter metric=b --csv -
regild compare -q --filter 'metric=*la*' --json - | checked_json | grep -e counts -e '"rows": [1-9]' -e '"range".*"n": [1-9]'
echo '# everything'
regild compare -q --columns all --csv - | tr ',' '\n' | head -n 48
echo '# gates'
try regild compare -q --fail-above 1
try regild compare -q --fail-above 0.1 --csv -
try regild compare -q --fail-above 'lm*=0.2' --filter stage=gpt --csv -
