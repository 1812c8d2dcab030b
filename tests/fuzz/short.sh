#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lets each fuzz target look for new inputs for five seconds from its corpus on, two targets at a time, so that none rots.
# The seed is fixed: the same code is judged by the same inputs, but for how far it gets in its time. SEED=0 takes any.
# SECONDS_EACH=60 looks for longer.
#
# usage: tests/fuzz/short.sh BUILD_DIR    (of `make fuzz FUZZ=1 CC=clang`)
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$(realpath "$1") scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The input that breaks a promise is printed, to be put into the corpus.
short() {
	local name=$1 here=$2/$1 corpus=$PWD/tests/fuzz/corpus/$1 input
	mkdir -p "$here/found"
	if (cd "$here" && "$3/fuzz/fuzz_$name" -seed="${SEED:-1}" -max_total_time="${SECONDS_EACH:-5}" -timeout=20 -artifact_prefix="$here/" \
		-print_final_stats=1 found "$corpus" >log 2>&1); then
		touch "$here/passed"
		return
	fi
	echo "FAIL fuzz/$name"
	grep -a -E 'does not hold|ERROR|SUMMARY' "$here/log" || tail -n 5 "$here/log"
	for input in "$here"/*-*; do
		[ -f "$input" ] && echo "its input, in base64:" && base64 "$input"
	done
}
export -f short

targets=$(cd tests/fuzz && printf '%s\n' fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
total=$(wc -l <<<"$targets")
xargs -P 2 -I{} bash -c 'short "$@"' short {} "$scratch" "$build" <<<"$targets"
passed=$(find "$scratch" -name passed | wc -l)
failed=$((total - passed))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
