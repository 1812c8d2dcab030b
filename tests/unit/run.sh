#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every unit test program (cmocka), or those named; a program is quiet unless something in it fails.
# usage: tests/unit/run.sh BUILD_DIR [test_NAME …]
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/queue.sh "$1"
shift
if [ $# -gt 0 ]; then
	printf 'unit %s\n' "$@"
else
	for source in tests/unit/test_*.c; do echo "unit $(basename "$source" .c)"; done
fi | queue
echo "unit tests:"
total
