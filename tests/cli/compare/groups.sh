# SPDX-License-Identifier: Apache-2.0
# Groups say what changed whole: in a table where there is room, else in sentences. Halves that cancel
# in one variant hide no shift of another one.
needs_terminal
export TERM=xterm
new_repository
# Goldens of two tests in two variants, with as many small metrics as a table has no room for.
goldens() {
	local test metric more=()
	for metric in 01 02 03 04 05 06 07 08 09 10 11; do
		more+=(-- "m$metric" "$3" "$3")
	done
	for test in a b; do
		golden "$ROOT/gpt/$test/golden_values_dev_dgx_h100.json" 'lm loss of validation' $1 "${more[@]}"
		golden "$ROOT/gpt/$test/golden_values_lts_dgx_a100.json" 'lm loss of validation' $2
	done
}
goldens '10 10 10' '10 10 10' 1
commit
goldens '11 9 10.01' '13 13 13' 2
for columns in 60 90; do
	script -qec "stty cols $columns; regild compare -q --no-pager --color never --top 1" typescript </dev/null >/dev/null
	grep -v '^Script' typescript | tr -d '\r'
done
