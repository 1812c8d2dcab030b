#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every test and closes with one line, "N passed, N failed, N skipped".
# usage: tests/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
passed=0 failed=0 skipped=0

# A part prints its own lines and closes with "N passed, N failed, N skipped".
part() {
	local log line status
	log=$(mktemp)
	"$@" 2>&1 | tee "$log"
	status=${PIPESTATUS[0]}
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
	rm -f "$log"
	if [ -z "$line" ]; then
		echo "tests: $* ended without a count (exit code $status)"
		failed=$((failed + 1))
		return
	fi
	read -r p _ f _ s _ <<<"$line"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$status" != 0 ] && [ "$f" = 0 ]; then
		failed=$((failed + 1))
	fi
}

part bash tests/unit/run.sh "$build"
part bash tests/cli/run.sh "$build"
# The longest one reads and writes big files on one core, so the others have the second.
long=tests/parts/large-memory.sh
long_log=$(mktemp)
bash "$long" "$build" >"$long_log" 2>&1 &
long_pid=$!
trap 'kill "$long_pid" 2>/dev/null; rm -f "$long_log"' EXIT
for script in tests/parts/*.sh; do
	[ "$script" = "$long" ] || part bash "$script" "$build"
done
wait "$long_pid"
long_status=$?
part bash -c 'cat "$1"; exit "$2"' "$long" "$long_log" "$long_status"
long_pid=

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
