#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocation N fails, for many N, in an audit that writes everything and in a comparison with a noise
# model: never a crash, never success with something missing.
# usage: tests/parts/audit-memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
export regild=$PWD/$1/regild-faults REGILD_BUILD=$PWD/$1
export LC_ALL=C
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d)
export scratch HOME=$scratch
trap 'rm -rf "$scratch"' EXIT
. tests/cli/lib.sh
cd "$scratch" || exit 1

# So many places, spread over all allocations.
places=160
case $1 in *address* | *thread*) places=40 ;; esac

for run in 1 2 3 4 5 6 7 8 9; do
	golden "runs/$run/a/golden_values.json" 'lm loss' "$((run / 6 + 10)).$run" 9 -- mem-x 5 "$run"
done
golden old.json 'lm loss' 10.1 9 -- mem-x 5 5
golden new.json 'lm loss' 10.2 9 -- mem-x 5 6
outputs() {
	echo "--csv $1.csv --json $1.json --markdown $1.md --html $1.html --model $1.model --export $1.values"
}
# shellcheck disable=SC2046
"$regild" audit $(outputs expected) --from runs/* >expected.out || exit 1
"$regild" audit -q --model model.json --from runs/*/a/golden_values.json || exit 1
sed -i 's/golden_values.json/new.json/' model.json
"$regild" compare --old old.json --new new.json --noise model.json --json expected.rows >/dev/null 2>&1 || exit 1

export -f outputs
fail_audit() {
	local out=$scratch/audit$1 status=0 kind
	# shellcheck disable=SC2046
	REGILD_FAULT=oom:$1 "$regild" audit $(outputs "$out") --from runs/* >"$out.out" 2>"$out.err" || status=$?
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
	REGILD_FAULT=oom:$1 "$regild" compare --old old.json --new new.json --noise model.json --json "$out.rows" \
		>/dev/null 2>"$out.err" || status=$?
	if [ $status -gt 4 ]; then
		echo "compare --noise, allocation $1: exit code $status"
	elif [ $status = 0 ]; then
		cmp -s expected.rows "$out.rows" ||
			echo "compare --noise, allocation $1: exit code 0, and something is missing"
	fi
	rm -f "$out".*
}
export -f fail_audit fail_verdict

allocations() {
	REGILD_FAULT=count:$scratch/counts "$regild" "$@" >/dev/null 2>&1 || return 1
	cut -d ' ' -f 3 "$scratch/counts"
}

passed=0 failed=0
each() {
	local bad stride=$(($3 / places + 1))
	bad=$(seq 1 $stride "$3" | xargs -P 2 -n 25 bash -c 'f=$1; shift; for n; do "$f" "$n"; done' _ "$1" 2>/dev/null) ||
		bad="$bad, and not all were tried: exit code $?"
	if [ -z "$bad" ] && [ "$3" -gt 50 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s, %d allocations\n%s\n' "$2" "$3" "$bad" | head -n 20
	fi
}

# shellcheck disable=SC2046
each fail_audit "an audit without memory" "$(allocations audit $(outputs "$scratch/x") --from runs/*)"
each fail_verdict "verdicts without memory" \
	"$(allocations compare --old old.json --new new.json --noise model.json --json "$scratch/x.rows")"
echo "audit memory tests:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
