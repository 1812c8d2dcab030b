#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every unit test program (cmocka), two at a time; a program is quiet unless something in it fails.
# usage: tests/unit/run.sh BUILD_DIR
set -u
# An absurd allocation fails, as it does without the sanitizer, and does not abort.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$1
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export build logs
passed=0 failed=0 skipped=0

find tests/unit -name 'test_*.c' | LC_ALL=C sort | xargs -P "${UNIT_JOBS:-2}" -I '{}' bash -c '
	name=$(basename "$1" .c)
	$default_signals timeout 600 "$build/unit/$name" >"$logs/$name.log" 2>&1
	echo $? >"$logs/$name.status"' _ '{}'
for status_file in "$logs"/*.status; do
	name=$(basename "$status_file" .status)
	log=$logs/$name.log
	status=$(cat "$status_file")
	p=$(grep -c '^\[       OK \]' "$log")
	# Named where they end and again in the summary.
	f=$(grep '^\[  FAILED  \] [a-z_0-9]*$' "$log" | sort -u | wc -l)
	s=$(grep '^\[  SKIPPED \] [a-z_0-9]*$' "$log" | sort -u | wc -l)
	if [ "$status" != 0 ] || [ "$f" != 0 ]; then
		echo "FAIL unit/$name (exit code $status)"
		tail -n 40 "$log"
		[ "$f" != 0 ] || f=1
	elif [ $((p + s)) = 0 ]; then
		echo "FAIL unit/$name ran no test"
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "unit tests:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
