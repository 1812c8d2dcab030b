#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the benchmarks: every tests/bench/NAME.bench.sh, or those named. Each prints its figures beside
# the reference tool's and its bar, and ends with 1 where a bar is missed.
#
# usage: tests/bench/run.sh BUILD_DIR [NAME…]
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$1
shift
export LC_ALL=C

if [ $# -gt 0 ]; then
	scripts=()
	for name; do scripts+=("tests/bench/$name.bench.sh"); done
else
	scripts=(tests/bench/*.bench.sh)
fi
missed=()
for script in "${scripts[@]}"; do
	name=$(basename "$script" .bench.sh)
	echo "== $name"
	bash "$script" "$build" || missed+=("$name")
done
if [ ${#missed[@]} -gt 0 ]; then
	echo "bars missed in: ${missed[*]}"
	exit 1
fi
