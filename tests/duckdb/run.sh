#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exports a history, in JSON Lines and CSV, and has DuckDB answer the queries of regild-export(5) from it.
# Closes with "N passed, N failed, N skipped".
# usage: tests/duckdb/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD regild=$PWD/$1/regild
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
cd "$scratch" || exit 1

# 90 runs from November 2025 on, every fifth on another branch, of two tests with 120 steps of three metrics. The
# loss of the first breaks in run 41, of the second in run 70.
awk 'BEGIN {
	seed = 7
	for (run = 1; run <= 90; run++) {
		month = (int(run / 7) + 10) % 12 + 1
		when = sprintf("%d-%02d-%02dT04:00:00Z", run < 14 ? 2025 : 2026, month, run % 7 * 4 + 1)
		for (test = 1; test <= 2; test++)
			for (metric = 1; metric <= 3; metric++)
				series(run, when, test, metric)
	}
}
function noise() { seed = seed * 16807 % 2147483647; return seed / 2147483647 - 0.5 }
function series(run, when, test, metric,   i, steps, values, value) {
	for (i = 1; i <= 120; i++) {
		value = metric == 1 ? 10 - i / 20 + noise() / 100 : metric == 2 ? 0.3 + noise() / 10 : int(4000 * (1 + noise()))
		if (metric == 1 && run >= (test == 1 ? 41 : 70))
			value *= test == 1 ? 1.05 : 0.9
		steps = steps (i > 1 ? "," : "") i
		values = values (i > 1 ? "," : "") (metric == 2 && i == 1 && run % 11 == 0 ? "\"nan\"" : sprintf("%.5f", value))
	}
	split("lm loss,iteration-time,num-zeros", names, ",")
	printf("{\"repository\":\"github.com/NVIDIA/Megatron-LM\",\"source\":\"github\",\"settings\":\"s\",\"id\":%d," \
		"\"attempt\":1,\"commit\":\"c\",\"branch\":\"%s\",\"event\":\"schedule\",\"when\":\"%s\",\"fork\":false," \
		"\"complete\":true,\"kind\":\"series\",\"path\":\"t/gpt3_mcore_te_tp%d_pp2/golden_values_dev_dgx_h100.json\"," \
		"\"sha256\":\"%064d\",\"bytes\":9,\"records\":null,\"metric\":\"%s\",\"text\":null,\"steps\":[%s],\"values\":[%s]}\n",
		run, run % 5 ? "main" : "dev", when, test, run * 2 + test, names[metric], steps, values)
}' >made.jsonl
"$regild" history import made.jsonl && "$regild" history export exported &&
	"$regild" history export exported --format csv || exit 1
for run in $(seq 1 90); do
	"$regild" history show "$run" --json "run$run.json" || exit 1
done
timeout 300 node "$top/tests/duckdb/queries.mjs" "$top/man/regild-export.5" "$top/build/duckdb" run*.json >log 2>&1
status=$?
cat log
passed=$(grep -c '^ok ' log)
echo "$passed passed, $((status != 0)) failed, 0 skipped"
exit "$status"
