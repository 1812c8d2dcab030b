# SPDX-License-Identifier: Apache-2.0
# On a terminal a table fits the window, whatever the names are: none wraps, and no figure is cut.
needs_terminal
export TERM=xterm
new_repository
name=$ROOT/gpt/gpt3_mcore_te_tp1_pp2_dist_optimizer_overlap_grad_reduce/golden_values_dev_dgx_h100.json
long=$(printf '%04096d' 0)
golden "$name" 'lm loss' 1 2 -- mem-max-allocated-bytes 1 -- "$long" 1 -- '\u202egnp.\u001b[31mred' 1 -- '金金é́金' 1
golden $ROOT/moe/a/golden_values_lts.json 'lm loss' 1
commit
golden "$name" 'lm loss' 1 2.2 -- mem-max-allocated-bytes 2 -- "$long" 1.5 -- '\u202egnp.\u001b[31mred' 1.25 -- '金金é́金' 0.9
golden $ROOT/moe/a/golden_values_lts.json 'lm loss' 1.001
# shown COLUMNS ARGUMENTS… prints what is to be seen in such a window, and what is wrong with it.
shown() {
	local columns=$1 widest
	script -qec "stty cols $columns; regild compare -q --color never ${*:2}" typescript </dev/null >/dev/null
	echo "== $*"
	grep -v -e '^Script' -e '^.$' typescript | tr -d '\r' | tee seen
	widest=$(LC_ALL=C.UTF-8 wc -L <seen)
	[ "$widest" -le "$columns" ] || echo "too wide: $widest"
}
for columns in 60 80 120 200; do
	shown $columns
done
echo "-- more columns than there is room for"
shown 60 --columns all --top 2
shown 80 --columns metric,stage,test,max_abs,max_ulps,old_mean,new_mean,near_zero --top 2
echo "-- an audit's too"
cat >audited.sh <<-sh
	stty cols 80
	regild audit -q --color never --from $ROOT
sh
script -qec 'sh audited.sh' typescript </dev/null >/dev/null
grep -v -e '^Script' typescript | tr -d '\r' | grep -a -e '^.*file  ' -e '^.*metric  ' -e 'dgx.*  ' | LC_ALL=C.UTF-8 wc -L
echo "-- without a window's size, COLUMNS and then 80; without a terminal no limit"
script -qec "stty cols 0; COLUMNS=100 regild compare -q --color never" typescript </dev/null >/dev/null
grep -v '^Script' typescript | tr -d '\r' | LC_ALL=C.UTF-8 wc -L
script -qec "stty cols 0; regild compare -q --color never" typescript </dev/null >/dev/null
grep -v '^Script' typescript | tr -d '\r' | LC_ALL=C.UTF-8 wc -L
COLUMNS=60 regild compare -q --columns file --filter 'metric=lm loss'
