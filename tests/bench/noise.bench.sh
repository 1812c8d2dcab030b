#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A noise model of 40 runs of 392 goldens (RUNS, GOLDENS: of so many), 37 million values: what writing it adds to the
# audit, its size, and what judging by it takes beside the audit, for all goldens and for ten.
#
# usage: tests/bench/noise.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"
runs=${RUNS:-40} count=${GOLDENS:-392}

for run in $(seq 1000 $((999 + runs))); do
	goldens "runs/$run" 0 "$count" "$run" 50000
done
goldens all 0 "$count" 99 50000
mkdir repository && cd repository
cp -r ../runs/1000/. .
commit_all
goldens . 0 10 99 50000
cd ..

field() {
	awk -v n="$1" -v field="$2" 'NR == n { print $field }' measured
}

compare='regild compare --quiet --csv /dev/null'
measure 3 'regild audit --quiet --csv /dev/null --from runs/*' \
	'regild audit --quiet --csv /dev/null --model noise.db --from runs/*' \
	"$compare --old runs/1000 --new all" "$compare --old runs/1000 --new all --noise noise.db" \
	"cd repository && $compare" "cd repository && $compare --noise ../noise.db" >measured
bytes=$(find runs -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
printf '       audit %s s, with a model %s s; comparison of all %s s, by the model %s s; of ten %s s and %s s\n' \
	"$(field 1 2)" "$(field 2 2)" "$(field 3 2)" "$(field 4 2)" "$(field 5 2)" "$(field 6 2)"
bar "audit --model over the audit without" "$(ratio "$(field 2 2)" "$(field 1 2)")" 1.3 x
bar "bytes of the model over the goldens'" "$(ratio "$(stat -c %s noise.db)" "$bytes")" 0.12 x
# The audit takes 4.5 s where the comparison by a model in JSON took 11.5 s.
bar "compare --noise of all over the audit" "$(ratio "$(field 4 2)" "$(field 1 2)")" 0.4 x
bar "compare --noise of all: peak memory" "$(awk "BEGIN { printf \"%.1f\", $(field 4 3) / 1024 }")" 150 MiB
bar "compare --noise of ten over the comparison without" "$(ratio "$(field 6 2)" "$(field 5 2)")" 1.5 x

exit "$missed"
