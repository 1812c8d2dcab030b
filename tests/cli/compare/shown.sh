# SPDX-License-Identifier: Apache-2.0
# The terminal's tables begin with what needs a look, by a mark and a colour, have 20 rows, and count
# what they leave out.
new_repository
git config regild.metric.fails.fail 1e-6
git config regild.files '*.json'
git config regild.metric.iteration-time.duration yes
git config 'regild.metric.mem-*.flag' 5%
metrics() {
	local i
	for i in {11..33}; do printf -- "-- m$i 1.$1 "; done
}
texts() {
	local i
	printf '{'
	for i in {101..122}; do printf '"%d": {"generated_text": "%s"}, ' "$i" "$1"; done
	printf '"200": {"generated_text": "same"}}'
}
mkdir -p $ROOT/gpt/{a,b}
texts one >$ROOT/gpt/b/inference.json
golden $ROOT/gpt/a/golden_values.json 'lm loss' 1 $(metrics 1) -- fails 1 -- same-1 1 -- same-2 2
commit
texts two >$ROOT/gpt/b/inference.json
golden $ROOT/gpt/a/golden_values.json 'lm loss' 1.01 $(metrics 2) -- fails 1.0001 -- same-1 1 -- same-2 2
# Its gate breaks each time.
compare() {
	regild compare -q "$@" 2>gate || [ $? = 1 ]
}
echo '== by default'
compare --columns metric,avg_rel_diff
echo '== three'
compare --columns metric,avg_rel_diff --top 3
echo '== all'
compare --columns metric --top 0 | grep -c -e '  m[0-9]' -e same
compare --columns metric --top 0 | grep -e more -e unchanged || echo 'nothing is left out'
echo '== over a threshold'
compare --columns metric --threshold 0.05 --filter 'file=*golden_values*'
compare --columns metric --threshold 0.05 --filter 'file=*golden_values*' --top 0 | wc -l
echo '== sorted: by what is asked for'
compare --columns metric --sort -metric --top 2 --filter 'file=*golden_values*'
echo '== nothing has changed'
compare --filter 'metric=same*'
echo '== on the scale of each metric: what turned NaN first, what has no level last'
golden old.json 'lm loss' 1 -- mem-x 1 -- mem-y 1 1 -- iteration-time 1 1 -- z 1
golden new.json 'lm loss' 1.05 -- mem-x 1.01 -- mem-y 1 NaN -- iteration-time 1.5 NaN -- z 3
compare --old old.json --new new.json --columns metric,avg_rel_diff
echo '== a colour says nothing that a mark does not'
compare --color always --columns metric --top 3 --filter 'file=*golden_values*' | cat -v
compare --color always --columns metric | sed 's/\x1b\[[0-9]*m//g' | cmp - <(compare --columns metric)
