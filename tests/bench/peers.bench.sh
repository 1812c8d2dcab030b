#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Large work beside what others do it with, each pair of commands in turns: two tables (DuckDB), two goldens of
# series (simdjson), two logs (numdiff, git), a real refresh (git), an audit of 40 runs (cat). A row whose peer is
# not installed is left out and named; `make bench-peers` installs them all and runs these rows alone.
#
# PEERS='csv json text refresh audit' are all of them; PEER_ROUNDS=3 is how often each command runs.
# usage: tests/bench/peers.bench.sh BUILD_DIR
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"
rounds=${PEER_ROUNDS:-3}
corpus=$top/../shared/corpus/refresh
cd "$scratch"

left_out() {
	echo "left out: $1: $2 is not installed (make bench-peers)"
}

mebibytes() {
	awk "BEGIN { printf \"%.1f\", $1 / 1024 }"
}

# pair KIND EXTENSION ROWS: both sides of a large pair.
pair() {
	for side in 1 2; do large "$1" "$side.$2" "$side" "$3"; done
}

# against WHAT PEER COMMAND FILE-EXTENSION BAR [MEMORY-BAR]
against() {
	measure "$rounds" "regild compare -q --old 1.$4 --new 2.$4 --csv out.csv" "$3" >measured
	printf '       %s: regild %s s and %s MiB, %s %s s and %s MiB\n' "$1" "$(line 1 1)" "$(mebibytes "$(line 1 3)")" \
		"$2" "$(line 2 1)" "$(mebibytes "$(line 2 3)")"
	bar "$1: time over $2's" "$(ratio "$(line 1 1)" "$(line 2 1)")" "$5" x
	[ -z "${6:-}" ] || bar "$1: peak memory" "$(mebibytes "$(line 1 3)")" "$6" MiB
}

csv() {
	local modules=$top/build/duckdb
	{ command -v node && [ -d "$modules/node_modules" ]; } >/dev/null || {
		left_out "two tables" DuckDB
		return
	}
	pair csv csv 500000
	against "two tables of 500,000 x 20" DuckDB "node '$top/tests/bench/duckdb.mjs' '$modules' 1.csv 2.csv" csv 0.6 64
}

json() {
	${CXX:-c++} -O2 -o simdjson "$top/tests/bench/simdjson.cc" -lsimdjson 2>/dev/null || {
		left_out "two goldens of series" simdjson
		return
	}
	pair json json 4000000
	against "two goldens of 4,000,000 values" simdjson "./simdjson 1.json 2.json" json 0.4 48
}

text() {
	command -v numdiff >/dev/null || {
		left_out "two texts" numdiff
		return
	}
	pair text log 400000
	against "two texts of 400,000 lines" numdiff "numdiff -q 1.log 2.log 2>/dev/null; true" log 0.2
	measure "$rounds" "git diff --no-index --stat 1.log 2.log" >measured
	printf '       git diff --no-index --stat %s s\n' "$(line 1 1)"
}

# All goldens that there are of real runs, or as many others.
refresh() (
	mkdir real
	cd real
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
	against_git "a real refresh" $((7 * rounds)) 1.0 2>/dev/null
	exit "$missed"
)

audit() {
	local run
	for run in $(seq 1000 1039); do
		goldens "runs/$run" 0 392 "$run" 50000
	done
	measure "$rounds" 'regild audit --quiet --json /dev/null --from runs/*' 'find runs -type f -print0 | xargs -0 cat' >measured
	printf '       40 runs of 392 goldens, %s: regild %s s, cat %s s\n' "$(du -sh --apparent-size runs | cut -f 1)" \
		"$(line 1 1)" "$(line 2 1)"
	bar "an audit of 40 runs: time over cat's" "$(ratio "$(line 1 1)" "$(line 2 1)")" 1.5 x
	rm -r runs
}

for row in ${PEERS:-csv json text refresh audit}; do
	"$row" || missed=1
	rm -f ./*.csv ./*.json ./*.log
done
exit "$missed"
