#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The audit: 1,000 runs of 20 goldens against the time that cat takes to read the same files, memory,
# and cost by number of runs.
#
# usage: tests/bench/audit.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"

cd "$scratch"
for run in $(seq 1000 1999); do
	mkdir -p "runs/$run"
	goldens "runs/$run" 0 20 "$run"
done

ours='regild audit --quiet --json /dev/null --from runs/*'
theirs='find runs -type f -print0 | xargs -0 cat'
field() {
	awk -v n="$1" -v field="$2" 'NR == n { print $field }' measured
}

measure 9 "$ours" "$theirs" >measured
many=$(field 1 1)
printf '       1,000 runs of 20 goldens, %s: regild %s s, cat %s s\n' "$(du -sh --apparent-size runs | cut -f 1)" \
	"$many" "$(field 2 1)"
bar "time over cat's" "$(ratio "$many" "$(field 2 1)")" 3.0 x
bar "peak memory" "$(awk "BEGIN { printf \"%.1f\", $(field 1 3) / 1024 }")" 128 MiB

measure 21 'regild audit --quiet --json /dev/null --from runs/1[0]*' >measured
few=$(field 1 1)
printf '       100 runs %s s, 1,000 runs %s s\n' "$few" "$many"
bar "1,000 runs over 100, by run" "$(awk "BEGIN { printf \"%.3f\", $many / $few / 10 }")" 1.15 x

exit "$missed"
