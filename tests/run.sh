#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every test and closes with one line, "N passed, N failed, N skipped".
# usage: tests/run.sh BUILD_DIR [REGEX]     those whose "KIND NAME" has it: 'unit', 'cli audit/', 'part crash'
# With TEST_LONG set, only those that otherwise take a sample run, and they take every point.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/queue.sh "$1"
# How many processes and threads this machine has started so far, where that is known.
started() {
	awk '$1 == "processes" { print $2 }' /proc/stat 2>/dev/null
}
before=$(started)
# How long each took the last time, in milliseconds: the longest begin first, so that no core is idle at the end.
times=$REGILD_BUILD/test-times

# "MILLISECONDS KIND NAME" of each test, by a guess where it is not known.
tests() {
	local path
	for path in tests/parts/*.sh; do echo "20000 part ${path#tests/parts/}"; done
	for path in tests/cli/*/*.sh; do echo "500 cli ${path#tests/cli/}"; done
	for path in tests/unit/test_*.c; do echo "200 unit ${path#tests/unit/}"; done
}
# Reads and writes the lines of tests().
in_question() {
	if [ -z "${TEST_LONG:-}" ]; then
		cat
	else
		grep -Ff <(grep -lE 'TEST_LONG|faults/lib\.sh' tests/parts/*.sh tests/unit/test_*.c |
			sed 's|tests/parts/|part |; s|tests/unit/|unit |; s|\..*||; s|$|.|')
	fi
}
longest_first() {
	touch "$times"
	tests | in_question | sed 's/\.[a-z]*$//' |
		awk 'FILENAME != "-" { took[$1, $2] = $3; next } { print (($2, $3) in took ? took[$2, $3] : $1), $2, $3 }' "$times" - |
		sort -k 1,1nr -k 2 | cut -d ' ' -f 2-
}

# cpu_time: of all that has ended here, in seconds. "times" in a subshell has only the subshell's.
cpu_time() {
	times >"$results/cpu_time"
	cpu_time=$(awk 'NR == 2 { split($1, user, /[ms]/); split($2, sys, /[ms]/)
		print (user[1] + sys[1]) * 60 + user[2] + sys[2] }' "$results/cpu_time")
}

# What starting processes costs depends on the machine, so the tests' CPU time is printed beside that of 1,000 starts.
print_cost() {
	local tests
	[ -z "$before" ] || echo "started: $(($(started) - before)) processes and threads"
	cpu_time
	tests=$cpu_time
	for _ in {1..100}; do bash -c :; done
	cpu_time
	awk -v tests="$tests" -v both="$cpu_time" 'BEGIN {
		printf "CPU time: %.0f s, as much as %.0f x 1,000 starts of bash\n", tests, tests / (both - tests) / 10 }'
}

longest_first | grep -E "${2:-.}" >"$results/tests"

# These wait for most of their time, so they run beside the others, one after the other.
beside='part faults|cli (audit/rate-limit|download/limits|download/progress|program/runner)'
grep -xE "$beside" "$results/tests" | jobs=1 queue >"$results/beside" 2>&1 &
grep -vxE "$beside" "$results/tests" | queue
wait
cat "$results/beside"
sort -k 3,3nr "$results/counts" | cut -d ' ' -f 1-3 >"$results/times"
[ -n "${2:-}${TEST_LONG:-}" ] || cp "$results/times" "$times"

echo
echo "unit tests: $(total unit)"
echo "command tests: $(total cli)"
echo "parts: $(total part)"
print_cost
echo "$SECONDS s; the longest: $(head -n 5 "$results/times" | awk '{ printf "%s%s %s %.0f s", sep, $1, $2, $3 / 1000; sep = ", " }')"
echo
total
