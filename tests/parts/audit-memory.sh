#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocation N fails, for many N, in an audit that writes everything and in a comparison with a noise
# model: never a crash, never success with something missing.
# usage: tests/parts/audit-memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
. tests/faults/lib.sh

for run in 1 2 3 4 5 6 7 8 9; do
	golden "runs/$run/a/golden_values.json" 'lm loss' "$((run / 6 + 10)).$run" 9 -- mem-x 5 "$run"
done
golden old.json 'lm loss' 10.1 9 -- mem-x 5 5
golden new.json 'lm loss' 10.2 9 -- mem-x 5 6
outputs() {
	echo "--csv $1.csv --json $1.json --markdown $1.md --html $1.html --model $1.model --export $1.values"
}
"$regild" audit -q --model model.json --from runs/*/a/golden_values.json || exit 1
sed -i 's/golden_values.json/new.json/' model.json
export -f outputs

# audit FAULT OUT
audit() {
	# shellcheck disable=SC2046
	faulty "$1" "$2.out" "$2.err" audit $(outputs "$2") --from runs/*
}

# verdict FAULT OUT
verdict() {
	faulty "$1" /dev/null "$2.err" compare --old old.json --new new.json --noise model.json --json "$2.rows"
}

fail_audit() {
	local out=$scratch/audit$1 status=0 kind
	audit "oom:$1" "$out" || status=$?
	if [ $status -gt 4 ]; then
		echo "audit, allocation $1: exit code $status"
	elif [ $status = 0 ]; then
		for kind in csv json md html model values out; do
			cmp -s "expected.$kind" "$out.$kind" ||
				echo "audit, allocation $1: exit code 0, and the $kind is another"
		done
	elif ! [ -s "$out.err" ]; then
		echo "audit, allocation $1: exit code $status, and nothing is said"
	fi
	rm -f "$out".*
}

fail_verdict() {
	local out=$scratch/verdict$1 status=0
	verdict "oom:$1" "$out" || status=$?
	if [ $status -gt 4 ]; then
		echo "compare --noise, allocation $1: exit code $status"
	elif [ $status = 0 ]; then
		cmp -s expected.rows "$out.rows" ||
			echo "compare --noise, allocation $1: exit code 0, and something is missing"
	fi
	rm -f "$out".*
}
export -f audit verdict fail_audit fail_verdict

# So many places in `make test-long`, spread over all allocations; others take one in four.
places=160
[ "$stride" = 1 ] || stride=4
# each_allocation FUNCTION NAME CALL
each_allocation() {
	local allocations
	"$3" none "$scratch/expected"
	"$3" "count:$scratch/counts" "$scratch/x"
	read -r _ _ allocations <counts
	[ "$allocations" -gt 50 ] || allocations=0
	each "$1" "$2, $allocations allocations" < <(points 1 "$allocations" $((stride * (allocations / places + 1))))
}
each_allocation fail_audit "an audit without memory" audit
each_allocation fail_verdict "verdicts without memory" verdict
finish "audit memory tests"
