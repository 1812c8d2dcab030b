#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Verdicts on real nondeterminism: a training loop whose gradients are summed in the order in which four threads deliver
# them (tests/simulate/training.c). Part of make test-long.
# usage: tests/parts/training.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
skip() {
	echo "$1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
case $1 in
*-*) skip "skip training: a sanitizer build" ;;
esac
[ -n "${TEST_LONG:-}" ] || skip "skip training: make test-long has it"
said=$("$1/simulate" training 2>&1)
case $? in
0)
	echo "$said"
	echo "1 passed, 0 failed, 0 skipped"
	;;
77) skip "$said" ;;
*)
	printf 'FAIL training\n%s\n' "$said"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
	;;
esac
