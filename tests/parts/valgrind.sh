#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A whole refresh under valgrind: no leak, no invalid read, no use of what was never set. And what a start costs,
# in instructions, which no other work on the machine changes.
# usage: tests/parts/valgrind.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD build=$PWD/$1
finish() {
	echo "valgrind:"
	echo "$1 passed, $2 failed, $3 skipped"
	exit "$2"
}
case $1 in
*-*)
	echo "skip valgrind: a sanitizer build"
	finish 0 0 1
	;;
esac
command -v valgrind >/dev/null || {
	echo "skip valgrind: not installed"
	finish 0 0 1
}

export REGILD_TOP=$top REGILD_BUILD=$build SCRATCH
SCRATCH=$(mktemp -d)
export HOME=$SCRATCH LC_ALL=C TZ=UTC
. tests/cli/lib.sh
start_hub fixtures/demo
trap 'kill "$HUB_PID" 2>/dev/null; rm -rf "$SCRATCH"' EXIT
cp -r fixtures/demo/repository "$SCRATCH/work"
cd "$SCRATCH/work" || finish 0 1 0
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
run=22651183945

valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible \
	--errors-for-leak-kinds=definite,indirect,possible --error-exitcode=99 --log-file="$SCRATCH/log" \
	regild refresh --run "$run" --only-failing --csv summary.csv --markdown summary.md --json summary.json \
	>"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
passed=0 failed=0
# The bundled run has an expired artifact: done in part.
if [ "$status" != 4 ] || [ -s "$SCRATCH/log" ] || [ ! -s summary.csv ]; then
	failed=1
	echo "FAIL valgrind/refresh (exit code $status)"
	head -n 60 "$SCRATCH/log" "$SCRATCH/err"
else
	passed=1
fi

git init -q -b main "$SCRATCH/empty"
valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$SCRATCH/log" \
	regild compare -C "$SCRATCH/empty" >/dev/null 2>&1
instructions=$(sed -n 's/.*Collected : *//p' "$SCRATCH/log")
if [ "${instructions:-99999999}" -lt 20000000 ]; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
	echo "FAIL valgrind/start: an empty comparison runs ${instructions:-no} instructions"
fi
finish "$passed" "$failed" 0
