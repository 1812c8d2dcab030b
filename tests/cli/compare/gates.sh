# SPDX-License-Identifier: Apache-2.0
# --fail-above and the policy's fail levels: exit code 1, and each row that broke one.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 4 -- 'iteration-time' 1 2 -- 'mem-allocated-bytes' 100 100
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 4 -- 'num-zeros' 5
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 3 4 -- 'iteration-time' 2 3 -- 'mem-allocated-bytes' 103 101
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 NaN -- 'num-zeros' NaN
try regild compare -q --csv /dev/null
echo "== at the limit is not over it"
try regild compare -q --fail-above 'mem-*=0.02' --fail-above iteration-time=0.75
echo "== for every metric"
try regild compare -q --fail-above 0.1
echo "== by metric; what turned NaN breaks its gate"
try regild compare -q --fail-above 'lm loss=0.5' --fail-above 'nothing=1'
try regild compare -q --fail-above 'lm loss=x'
echo "== the policy"
cat >.regild <<'END'
[metric "*"]
	fail = 0.5
[metric "lm loss"]
	kind = absolute
	fail = 1
[metric "num-*"]
	kind = ignore
[metric "iteration-time"]
	aggregate = median
	direction = lower
[metric "mem-*"]
	kind = combined
	rtol = 0.01
	atol = 1
END
try regild compare -q
echo "== gone, and away from zero"
rm .regild
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 4 -- 'num-zeros' 0 0
commit
golden $ROOT/gpt/a/golden_values_dev.json 'num-zeros' 0 7
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 4 NaN -- 'num-zeros' NaN
try regild compare -q --fail-above 'lm loss=0.5'
try regild compare -q --fail-above 'num-*=0.5'
printf '[metric "num-zeros"]\n\tkind = absolute\n\tfail = 5\n' >.regild
try regild compare -q
echo "== what is ignored is held by its name only"
printf '[metric "lm loss"]\n\tkind = ignore\n' >.regild
try regild compare -q --fail-above 0.5
try regild compare -q --fail-above 'lm*=0.5'
echo "== a text where there were values, and a metric without any"
rm .regild
git checkout -q .
echo '{"lm loss": "diverged", "num-zeros": {"values": {}}}' >$ROOT/gpt/a/golden_values_dev.json
try regild compare -v --filter 'file=*/a/*' --fail-above 0.5
echo "== a golden removed as a whole breaks every gate"
git checkout -q .
rm $ROOT/gpt/a/golden_values_dev.json
try regild compare --fail-above 0.5
echo "== unreadable beside a gate that breaks"
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4 4
echo '{' >$ROOT/gpt/b/golden_values_dev.json
try regild compare -q --fail-above 'num-zeros=0.5'
echo "== a text that differs has no figure"
printf '{"text": "a"}' >$ROOT/gpt/a/golden_values_dev.json
git checkout -q $ROOT/gpt/b
git commit -qam text
printf '{"text": "b"}' >$ROOT/gpt/a/golden_values_dev.json
try regild compare -q --fail-above text=0
try regild compare -q --fail-above text=0 --allow no-figure
