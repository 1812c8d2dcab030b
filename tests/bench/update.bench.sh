#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An update of 1,000 goldens of 36 KB (the corpus's mean) in 500 folders against cp of the same files
# with an fsync each. The update reads, compares and guards them, and writes three times the bytes: old
# and new ones into the journal, and the new ones in place.
#
# usage: tests/bench/update.bench.sh BUILD_DIR
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"
export REGILD_BUILD=$build
. "$top/tests/cli/lib.sh"

goldens=1000
cd "$scratch"
mkdir repository staged
# Two bodies, of 800 steps each; the files differ in their first value.
awk 'BEGIN {
	for (metric = 0; metric < 2; metric++)
		for (i = 2; i <= 800; i++)
			printf "%s\"%d\": %.15g", i == 2 ? "" : ", ", i, 10 / i + metric / 1e6 > ("body" metric)
}'
write() {
	mkdir -p "$(dirname "$1")"
	{
		printf '{"lm loss": {"start_step": 1, "end_step": 800, "step_interval": 1, "values": {"1": %d, ' "$2"
		cat "$scratch/body$3"
		printf '}}}\n'
	} >"$1"
}
for i in $(seq 1 $goldens); do
	file=gpt/case$((i % 500))/golden_values_$i.json
	write "repository/$ROOT/$file" "$i" 0
	write "staged/files/$file" "$i" 1
done
staging_manifest staged
cd repository
commit_all

update="git checkout -q . && rm -rf .git/regild && regild update -q $scratch/staged"
copy="git checkout -q . && cp -r $scratch/staged/files/. $ROOT/ &&
	find $ROOT -name '*.json' -print0 | xargs -0 sync && find $ROOT -type d -print0 | xargs -0 sync"
reset="git checkout -q . && rm -rf .git/regild"
measure 3 "$update" "$copy" "$reset" >"$scratch/measured"
{
	read -r updated _ resident
	read -r copied _ _
	read -r prepared _ _
} <"$scratch/measured"
updated=$(awk "BEGIN { print $updated - $prepared }")
copied=$(awk "BEGIN { print $copied - $prepared }")
printf '       %s goldens: update %s s, cp and fsync %s s\n' "$goldens" "$updated" "$copied"
bar "time over cp and fsync" "$(ratio "$updated" "$copied")" 6 x
bar "peak memory" "$(awk "BEGIN { printf \"%.1f\", $resident / 1024 }")" 64 MiB

exit "$missed"
