#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A history of 10,000 runs of 20 goldens with 5 metrics of 50 steps (RUNS: of so many), and one of a tenth:
# writing, auditing, merging again, and bytes on disk beside those of zstd -3 over the same goldens. Where
# clickhouse-server is installed (`make test-cluster` does that), the same on two servers on loopback.
#
# usage: tests/bench/history.bench.sh BUILD_DIR
set -eu
top=$PWD
. "$top/tests/environment.sh"
. "$(dirname "$0")/lib.sh"
cd "$scratch"
# Nothing is asked for: the history has all runs.
export GITHUB_API_URL=http://127.0.0.1:1 GITHUB_TOKEN=none
runs=${RUNS:-10000}
a_run=$((20 * 5 * 50))

field() {
	awk -v n="$1" -v field="$2" 'NR == n { print $field }' measured
}

# fill NAME RUNS, and the seconds that it took in $seconds.
fill() {
	local before
	mkdir -p "$1/regild"
	before=$(date +%s.%N)
	"$build/bench/history" "$1/regild/history.db" 1 $(($2 + 1))
	seconds=$(awk "BEGIN { print $(date +%s.%N) - $before }")
}

audit() {
	echo "XDG_DATA_HOME=$PWD/$1 regild audit --quiet --repo NVIDIA/Megatron-LM --json /dev/null --runs $(seq -s , 1 "$2")" >"audit-$1"
}

fill few $((runs / 10))
few_seconds=$seconds
fill many "$runs"
printf '       %d runs of 20 goldens, put in %.0f s: %.0f values a second\n' "$runs" "$seconds" \
	"$(awk "BEGIN { print $runs * $a_run / $seconds }")"
bar "putting $runs runs over $((runs / 10)), by run" "$(ratio "$seconds" "$(ratio "$few_seconds" 0.1)")" 1.15 x

bytes=$(stat -c %s many/regild/history.db)
packed=$("$build/bench/history" - 1 $((runs + 1)) | zstd -q -3 | wc -c)
printf '       %d bytes, zstd -3 %d: %s and %s a value\n' "$bytes" "$packed" \
	"$(ratio "$bytes" $((runs * a_run)))" "$(ratio "$packed" $((runs * a_run)))"
bar "bytes over those of zstd -3 over the goldens" "$(ratio "$bytes" "$packed")" 1.5 x

audit few $((runs / 10))
audit many "$runs"
measure 1 'sh audit-few' 'sh audit-many' >measured
printf '       audit of %d runs %.1f s, of %d runs %.1f s\n' $((runs / 10)) "$(field 1 2)" "$runs" "$(field 2 2)"
bar "auditing $runs runs over $((runs / 10)), by run" "$(ratio "$(field 2 2)" "$(ratio "$(field 1 2)" 0.1)")" 1.15 x
bar "peak memory of the audit" "$(awk "BEGIN { printf \"%.1f\", $(field 2 3) / 1024 }")" 256 MiB

measure 0 'XDG_DATA_HOME=$PWD/few regild history merge few/regild/history.db' \
	'XDG_DATA_HOME=$PWD/few regild history export exported' >measured
printf '       merge of %d runs that are there, %.0f MiB; export, %.0f MiB\n' $((runs / 10)) \
	"$(awk "BEGIN { print $(field 1 3) / 1024 }")" "$(awk "BEGIN { print $(field 2 3) / 1024 }")"
if ! command -v clickhouse-server >/dev/null; then
	echo "       no ClickHouse here: make test-cluster installs it"
	exit "$missed"
fi
export REGILD_TOP=$top REGILD_BUILD=$build CLUSTER=$scratch/cluster CLICKHOUSE_USER=regild
. "$top/tests/cluster/lib.sh"
export CLICKHOUSE_PASSWORD=$CLUSTER_PASSWORD
trap 'stop_cluster; rm -rf "$scratch"' EXIT
start_cluster
export REGILD_HISTORY=clickhouse://${http[1]}/bench
regild history init --cluster pair | carry_out 1 2
before=$(date +%s.%N)
"$build/bench/history" "$REGILD_HISTORY" 1 $((runs + 1))
seconds=$(awk "BEGIN { print $(date +%s.%N) - $before }")
printf '       ClickHouse, two shards: put in %.0f s: %.0f values a second\n' "$seconds" \
	"$(awk "BEGIN { print $runs * $a_run / $seconds }")"
bytes=0
for n in 1 2; do
	bytes=$((bytes + $(sql $n "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'bench'")))
done
printf '       %d bytes, %s a value\n' "$bytes" "$(ratio "$bytes" $((runs * a_run)))"
measure 0 'sh audit-few' 'sh audit-many' >measured
printf '       audit of %d runs %.1f s, of %d runs %.1f s\n' $((runs / 10)) "$(field 1 2)" "$runs" "$(field 2 2)"
bar "auditing $runs runs over $((runs / 10)), by run" "$(ratio "$(field 2 2)" "$(ratio "$(field 1 2)" 0.1)")" 1.15 x
bar "peak memory of the audit" "$(awk "BEGIN { printf \"%.1f\", $(field 2 3) / 1024 }")" 256 MiB
exit "$missed"
