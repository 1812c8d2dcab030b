#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A comparison of two tables of 120,000 records and 10 numbers, as CSV, as a list in JSON and as JSON Lines,
# beside `git diff --stat` of the same two, and sqlite3, which imports both; and the memory that it takes.
#
# usage: tests/bench/formats.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"
if ! command -v sqlite3 >/dev/null; then
	echo "skip: needs sqlite3"
	exit 0
fi

# tables SIDE SEED: one content in three forms.
tables() {
	awk -v seed="$2" -v side="$1" 'BEGIN {
		srand(seed)
		csv = side ".csv"; json = side ".json"; lines = side ".jsonl"
		printf "name" >csv
		for (c = 0; c < 10; c++)
			printf ",c%d", c >csv
		printf "\n" >csv
		for (i = 0; i < 120000; i++) {
			row = object = ""
			for (c = 0; c < 10; c++) {
				value = sprintf("%.6g", rand() * 1000)
				row = row "," value
				object = object ", \"c" c "\": " value
			}
			print "record_" i row >csv
			printf "%s{\"name\": \"record_%d\"%s}", (i ? ",\n" : "["), i, object >json
			printf "{\"step\": %d%s}\n", i, object >lines
		}
		print "]" >json
	}'
}

import() {
	local from=$1
	case $from in
	csv) echo "rm -f x.db && sqlite3 x.db '.mode csv' '.import old.csv a' '.import new.csv b'" ;;
	json) echo "rm -f x.db && sqlite3 x.db \"create table a as select value from json_each(readfile('old.json'))\" \"create table b as select value from json_each(readfile('new.json'))\"" ;;
	jsonl) echo "rm -f x.db && sqlite3 x.db 'create table a(line)' 'create table b(line)' '.mode ascii' '.separator \"\\1\" \"\\n\"' '.import old.jsonl a' '.import new.jsonl b' 'create table c as select json_extract(line, \"\$.step\"), json_extract(line, \"\$.c0\") from a union all select json_extract(line, \"\$.step\"), json_extract(line, \"\$.c0\") from b'" ;;
	esac
}

# form NAME TIMES MEMORY: bars on the time over sqlite3's import, and the memory over both files.
form() {
	measure 3 "regild compare -q --old old.$1 --new new.$1 --csv out.csv" "$(import "$1")" \
		"git diff --no-index --stat old.$1 new.$1" >measured
	{
		read -r compared _ resident
		read -r imported _ _
		read -r diffed _ diff_resident
	} <measured
	both=$(cat "old.$1" "new.$1" | wc -c)
	printf '       %s: compare %s s, %s MiB; sqlite3 %s s; git diff --stat %s s, %s MiB; both files %s MiB\n' "$1" \
		"$compared" $((resident / 1024)) "$imported" "$diffed" $((diff_resident / 1024)) $((both >> 20))
	bar "$1: time over sqlite3's import" "$(ratio "$compared" "$imported")" "$2" times
	bar "$1: peak memory over both files" "$(ratio $((resident * 1024)) "$both")" "$3" times
}

# text SIDE SEED: 200,000 lines, of which the new side lacks one, and "kept" none.
text() {
	awk -v seed="$2" -v side="$1" 'BEGIN {
		srand(1)
		for (i = 0; i < 200000; i++)
			if (side != "new" || i != 7)
				printf "step %d energy = %.8f residual = %.6e\n", i, rand() * 100 + seed / 1e6, rand() >(side ".txt")
	}'
}

# beside NAME TIME COMMAND: the time of a peer that may be there, as a ratio of ours.
beside() {
	measure 3 "$3" >peer
	read -r peer _ _ <peer
	printf '       %s: %s s, of which ours is %s\n' "$1" "$peer" "$(ratio "$2" "$peer")"
}

tables old 1
tables new 2
form csv 3 1.2
duckdb=$(dirname "$build")/duckdb
if [ -d "$duckdb/node_modules" ]; then
	cat >diff.mjs <<-'END'
		import { createRequire } from "node:module";
		const { DuckDBInstance } = createRequire(process.argv[2] + "/")("@duckdb/node-api");
		const columns = [...Array(10).keys()].map((c) => `avg((a.c${c} - b.c${c}) / a.c${c})`).join(", ");
		const connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
		await connection.runAndReadAll(`select ${columns} from 'old.csv' a join 'new.csv' b using (name)`);
	END
	beside "DuckDB, relative differences of the CSV" "$compared" "node diff.mjs $duckdb"
else
	echo "       left out: DuckDB is not installed (scripts/setup.sh --duckdb)"
fi
text old 0
text new 1
measure 3 'regild compare -q --old old.txt --new new.txt --csv out.csv' 'git diff --no-index --stat old.txt new.txt' >measured
{
	read -r compared _ _
	read -r diffed _ _
} <measured
bar "text: time over git diff --no-index --stat" "$(ratio "$compared" "$diffed")" 2.5 times
text kept 1
measure 3 'regild compare -q --old old.txt --new kept.txt --csv out.csv' >measured
read -r kept _ _ <measured
bar "text: time over the same without a deleted line" "$(ratio "$compared" "$kept")" 1.5 times
if command -v numdiff >/dev/null; then
	beside "numdiff, the text" "$compared" 'numdiff -q old.txt new.txt'
else
	echo "       left out: numdiff is not installed"
fi
form json 4 0.7
form jsonl 4 0.6
exit "$missed"
