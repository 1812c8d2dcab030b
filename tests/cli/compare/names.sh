# SPDX-License-Identifier: Apache-2.0
# Two goldens never print alike in one table, however narrow the window: what their names share goes, and
# where two names are one, the paths stand for them.
needs_terminal
export TERM=xterm
new_repository
goldens() {
	local name
	for name in gpt3_moe_mcore_te_tp2_zp_z3_resume_1node gpt3_moe_mcore_te_ep8_resume_1node gpt3_moe_mcore_te_ep8_flex_1node; do
		golden $ROOT/moe/$name/golden_values_dev_dgx_gb200.json 'lm loss' $1 -- mem-allocated-bytes $1 -- mem-max-allocated-bytes $1
		golden $ROOT/moe/$name/golden_values_dev_dgx_h100.json 'lm loss' $1
	done
	golden $ROOT/gpt/rerun/tp1/golden_values_dev_dgx_h100.json 'lm loss' $1
	golden $ROOT/gpt/rerun/tp2/golden_values_dev_dgx_h100.json 'lm loss' $1
}
goldens 1
commit
goldens 2
for columns in 60 80 110; do
	script -qec "stty cols $columns; regild compare -q --color never --columns file,metric,n_steps" typescript </dev/null >/dev/null
	echo "== $columns"
	grep -v '^Script' typescript | tr -d '\r' | sed -n '/^  file/,/^$/p' | tee seen
	sed -n 's/^\* //p' seen | sort | uniq -d
done
