#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The short form of `make simulate`: false alarms, and what must be found, over fewer trials; without TEST_LONG over a
# third of these.
# usage: tests/parts/simulate.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
case $1 in
*-*)
	echo "skip simulate: a sanitizer build"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
	;;
esac
brief=--brief=3
[ -z "${TEST_LONG:-}" ] || brief=--brief
for table in verdicts runs pipeline breaks smallest tolerances ordered uneven; do
	if said=$("$1/simulate" $brief "$table" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL simulate/%s\n%s\n' "$table" "$said"
	fi
done
echo "simulate:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
