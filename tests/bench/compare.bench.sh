#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The comparator: whole `regild compare --csv` against what git needs to list and print the same
# baselines, the reader against cJSON, memory, and cost by number of changed files.
#
# usage: tests/bench/compare.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"

ours='regild compare --quiet --csv /dev/null'
# The same question put to git, which looks for new files, too, and prints the changed goldens'
# baselines; and what finds and reads both sides as ours does, and does no more.
theirs='git status --porcelain -uall && git cat-file --batch <../baselines'
sides='sides tests/functional_tests/test_cases'
corpus=$PWD/../shared/corpus/refresh

# line N FIELD: of what measure printed last.
line() {
	awk -v n="$1" -v field="$2" 'NR == n { print $field }' "$scratch/measured"
}

# Lists the baselines of what changed in the current repository.
list_baselines() {
	git diff --raw --no-abbrev --diff-filter=MD HEAD | cut -d ' ' -f 3 >../baselines
}

# against_git WHAT ROUNDS BAR, in the current repository.
against_git() {
	list_baselines
	measure "$2" "$ours" "$theirs" "$sides" >"$scratch/measured"
	printf '       %s: regild %s s, git %s s; finding and reading alone %s s\n' "$1" "$(line 1 1)" \
		"$(line 2 1)" "$(line 3 1)"
	bar "$1: time over git's" "$(ratio "$(line 1 1)" "$(line 2 1)")" "$3" x
	bar "$1: peak memory" "$(awk "BEGIN { printf \"%.1f\", $(line 1 3) / 1024 }")" 48 MiB
}

# against_cjson WHAT ROUNDS FILES…
against_cjson() {
	local what=$1 rounds=$2
	shift 2
	reader "$rounds" "$@" >"$scratch/measured"
	printf '       %s: reader %s MB/s, cJSON %s MB/s\n' "$what" "$(line 2 2)" "$(line 1 2)"
	bar_least "$what: the reader's speed over cJSON's" "$(ratio "$(line 1 1)" "$(line 2 1)")" 4 x
}

mkdir "$scratch/real" "$scratch/small" "$scratch/large"

# A real refresh, of all goldens there are; or one of that size.
cd "$scratch/real"
if [ -d "$corpus" ]; then
	cp -r "$corpus"/nightly-*/base/. .
	commit_all
	cp -r "$corpus"/nightly-*/new/. .
else
	goldens . 0 126 1
	commit_all
	goldens . 0 126 2
fi
# Goldens of the old layout are unreadable, which is said each time.
against_git "a real refresh" 21 1.0 2>/dev/null

cd "$scratch/small"
goldens . 0 3000 1
commit_all
goldens . 0 300 2
against_git "300 of 3,000 goldens" 21 1.3
find . -path ./.git -prune -o -name '*.json' -print | sort | head -n 300 >"$scratch/files"
mapfile -t files <"$scratch/files"
against_cjson "300 goldens" 41 "${files[@]}"

# What a changed file costs, above the cost of looking at 3,000 of them.
measure 11 "$ours" >"$scratch/measured"
few=$(line 1 1)
git checkout -q .
measure 11 "$ours" >"$scratch/measured"
none=$(line 1 1)
goldens . 0 3000 2
list_baselines
measure 11 "$ours" "$theirs" >"$scratch/measured"
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
