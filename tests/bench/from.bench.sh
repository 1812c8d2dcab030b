#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `refresh --from` of 1,000 extracted artifacts, each a golden beside 10 MB of logs, against the same
# without the logs, whose folders are walked all the same: what is in them must not count.
#
# usage: tests/bench/from.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"

artifacts=1000
golden=$(cd "$(dirname "$0")/../.." && pwd)/fixtures/demo/artifacts
golden=$(find "$golden" -name 'golden_values_*.json' | sort | head -n 1)

mkdir -p "$scratch/repository" "$scratch/bare" "$scratch/logs"
cd "$scratch/repository"
for i in $(seq 1 "$artifacts"); do
	test=$(printf 'test_%04d' "$i")
	mkdir -p "tests/functional_tests/test_cases/gpt/$test" "$scratch/bare/logs-$test-9001-$i" \
		"$scratch/logs/logs-$test-9001-$i/logs"
	echo '{"lm loss": {"values": {"1": 1.5}}}' >"tests/functional_tests/test_cases/gpt/$test/golden_values_dev.json"
	cp "$golden" "$scratch/bare/logs-$test-9001-$i/golden_values_dev.json"
	cp "$golden" "$scratch/logs/logs-$test-9001-$i/golden_values_dev.json"
	# Sparse: reading them takes as long as if they were not.
	truncate -s 10M "$scratch/logs/logs-$test-9001-$i/logs/stdout.log"
done
commit_all

download="regild download --quiet --from"
$download "$scratch/bare" -o "$scratch/once" >"$scratch/printed"
grep -q "^$artifacts tests with goldens, $artifacts goldens" "$scratch/printed"
measure 3 "rm -rf $scratch/out; $download $scratch/bare -o $scratch/out" >"$scratch/measured"
read -r bare _ <"$scratch/measured"
measure 3 "rm -rf $scratch/out; $download $scratch/logs -o $scratch/out" >"$scratch/measured"
read -r logs _ resident <"$scratch/measured"
printf '       %s goldens alone %s s, with 10 GB of logs beside them %s s\n' "$artifacts" "$bare" "$logs"
bar "time with logs beside the goldens over without" "$(ratio "$logs" "$bare")" 2 x
bar "peak memory" "$(awk "BEGIN { printf \"%.1f\", $resident / 1024 }")" 64 MiB

exit "$missed"
