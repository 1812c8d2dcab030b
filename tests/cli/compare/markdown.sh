# SPDX-License-Identifier: Apache-2.0
# Every section and bullet of the summary.
new_repository
for i in 1 2 3; do
	golden $ROOT/gpt/t$i/golden_values.json "lm loss" 10 9 8 -- num-zeros 5 5 5 -- iteration-time 1 1 1 -- \
		mem-allocated-bytes 100 100 100 -- mem-max-allocated-bytes 200 200 200 -- "mtp_1 loss" 1 1 1 -- 'a|b`c`' 1 1 1 -- 'x\ny<i>@all' 1 1 1
done
golden $ROOT/gpt/gone/golden_values.json m 1
golden "$ROOT/gpt/b|ad/golden_values.json" m 1
commit
golden $ROOT/gpt/t1/golden_values.json "lm loss" 10 9 8.0001 -- num-zeros 5 5 6 -- iteration-time 1.1 1 1 -- \
	mem-allocated-bytes 101 100 100 -- mem-max-allocated-bytes 200 200 200 -- "mtp_1 loss" 1 1 1 -- 'a|b`c`' 1 1 2 -- 'x\ny<i>@all' 1 1 2
golden $ROOT/gpt/t2/golden_values.json "lm loss" 10 9 8.5 -- num-zeros 5 5 5 -- iteration-time 1.2 1 1 -- \
	mem-allocated-bytes 110 110 110 -- mem-max-allocated-bytes 200 230 200 -- "mtp_1 loss" 1 1 1.00001 -- 'a|b`c`' 1 1 1 -- 'x\ny<i>@all' 1 1 1
rm $ROOT/gpt/gone/golden_values.json
golden $ROOT/gpt/new/golden_values.json different 1 2 3 4 5 6 7 8 9
echo '{' >"$ROOT/gpt/b|ad/golden_values.json"
try regild compare -q --no-renames --markdown -
echo
echo '# nothing worth a bullet'
git checkout -q . && rm -r $ROOT/gpt/new
golden $ROOT/gpt/t3/golden_values.json "lm loss" 10 9 8 -- num-zeros 5 5 6
regild compare -q --markdown summary.md --top 1
cat summary.md
echo
echo '# nothing at all'
git checkout -q .
regild compare -q --markdown -
echo '# a command that a shell takes back'
regild compare -q -C '' --filter "metric=it's a \$x" --markdown - | grep '^Command'
