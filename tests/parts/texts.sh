#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Texts with numbers: the rows of 2,000 generated pairs (lines deleted, added, moved, swapped, numbers changed) are those
# of tests/parts/texts/oracle.py, which pairs lines by brute force and shares no code with regild.
#
# usage: tests/parts/texts.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
scratch=$(scratch_of_memory)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
if ! python3 -c 'import csv, random' 2>/dev/null; then
	echo "skip texts: python3 is not there"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
python3 tests/parts/texts/oracle.py "$PWD/$1/regild" "$scratch" 2000
