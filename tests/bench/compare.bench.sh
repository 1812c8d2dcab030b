#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The comparator: whole `regild compare --csv` against what git needs to list and print the same
# baselines, the reader against cJSON, memory, and cost by number of changed files.
#
# usage: tests/bench/compare.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"

# against_cjson WHAT ROUNDS FILES…
against_cjson() {
	local what=$1 rounds=$2
	shift 2
	reader "$rounds" "$@" >"$scratch/measured"
	printf '       %s: reader %s MB/s, cJSON %s MB/s\n' "$what" "$(line 2 2)" "$(line 1 2)"
	bar_least "$what: the reader's speed over cJSON's" "$(ratio "$(line 1 1)" "$(line 2 1)")" 4 x
}

mkdir "$scratch/small" "$scratch/large"

cd "$scratch/small"
goldens . 0 3000 1
commit_all
goldens . 0 300 2
against_git "300 of 3,000 goldens" 21 1.3
find . -path ./.git -prune -o -name '*.json' -print | sort | head -n 300 >"$scratch/files"
mapfile -t files <"$scratch/files"
against_cjson "300 goldens" 41 "${files[@]}"

# What a changed file costs, above the cost of looking at 3,000 of them.
measure 11 "$git_ours" >"$scratch/measured"
few=$(line 1 1)
git checkout -q .
measure 11 "$git_ours" >"$scratch/measured"
none=$(line 1 1)
goldens . 0 3000 2
list_baselines
measure 11 "$git_ours" "$git_theirs" >"$scratch/measured"
many=$(line 1 1)
printf '       no file changed %s s, 300 %s s, 3,000 %s s (git %s s)\n' "$none" "$few" "$many" "$(line 2 1)"
bar "3,000 changed over 300, by file" \
	"$(awk "BEGIN { printf \"%.3f\", ($many - $none) / ($few - $none) / 10 }")" 1.15 x
bar "3,000 goldens: peak memory" "$(awk "BEGIN { printf \"%.1f\", $(line 1 3) / 1024 }")" 48 MiB

cd "$scratch/large"
goldens . 0 40 1 2000000
commit_all
goldens . 0 40 2 2000000
against_git "40 goldens of 2 MB" 7 1.0
against_cjson "9 goldens of 2 MB" 9 tests/functional_tests/test_cases/stage00/test_000[0-2]/*.json

exit "$missed"
