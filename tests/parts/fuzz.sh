#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Replays each fuzz target's corpus, and the real goldens through the readers of goldens.
#
# usage: tests/parts/fuzz.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$1
passed=0 failed=0 skipped=0

replay() {
	local name=$1 log
	shift
	log=$(mktemp)
	if timeout 600 "$build/fuzz/fuzz_$name" "$@" >"$log" 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL fuzz/$name on $*"
		tail -n 20 "$log"
		failed=$((failed + 1))
	fi
	rm -f "$log"
}

for source in tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	name=${name#fuzz_}
	replay "$name" "tests/fuzz/corpus/$name"
done
if [ -d ../shared/corpus/refresh ]; then
	replay series ../shared/corpus/refresh ../shared/corpus/history
else
	skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
