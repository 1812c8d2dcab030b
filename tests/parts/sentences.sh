#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No sentence is false: what is said of the refreshes of ../shared/corpus/refresh, forwards and backwards, and of some
# that are made of them, is held against their goldens by tests/parts/corpus/sentences.py, which shares no code with
# regild.
#
# usage: tests/parts/sentences.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
corpus=$PWD/../shared/corpus/refresh
scratch=$(scratch_of_memory)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
if [ ! -d "$corpus" ] || ! python3 -c 'import json, random' 2>/dev/null; then
	echo "skip sentences: ../shared/corpus and python3 are not both there"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
# Of each refresh one is made in `make test`, ten in `make test-long`, which makes all three calls of each.
made=1 calls=1
[ -z "${TEST_LONG:-}" ] || made=10 calls=3
python3 tests/parts/corpus/sentences.py "$PWD/$1/regild" "$scratch" "$corpus" "$made" "$calls"
