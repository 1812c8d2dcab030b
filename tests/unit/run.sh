#!/bin/bash
# Runs every unit test program (cmocka); a program is quiet unless something in it fails.
# usage: tests/unit/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
passed=0 failed=0 skipped=0

for source in tests/unit/test_*.c; do
	name=$(basename "$source" .c)
	log=$(mktemp)
	timeout 300 "$build/unit/$name" >"$log" 2>&1
	status=$?
	p=$(grep -c '^\[       OK \]' "$log")
	f=$(grep -c '^\[  FAILED  \] [^0-9]' "$log")
	s=$(grep -c '^\[  SKIPPED \] [^0-9]' "$log")
	if [ "$status" != 0 ] || [ "$f" != 0 ]; then
		echo "FAIL unit/$name (exit code $status)"
		tail -n 40 "$log"
		[ "$f" != 0 ] || f=1
	elif [ $((p + s)) = 0 ]; then
		echo "FAIL unit/$name ran no test"
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	rm -f "$log"
done
echo "unit tests:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
