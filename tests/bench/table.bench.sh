#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A comparison of two tables of 100,000 records and 20 columns, whose records come in another order,
# against sqlite3, which imports both as text. And of twice as many, which must take twice the memory.
#
# usage: tests/bench/table.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"
if ! command -v sqlite3 >/dev/null; then
	echo "skip: needs sqlite3"
	exit 0
fi

# table NAME SEED RECORDS: numbers but for three columns of texts, in an order by the seed.
table() {
	{
		echo "name,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,t1,t2,t3"
		awk -v seed="$2" -v records="$3" 'BEGIN {
			srand(seed)
			split("pass fail_to_run eager_fail", words, " ")
			for (i = 0; i < records; i++) {
				line = "record_" (i * (seed == 1 ? 1 : 7)) % records
				for (c = 0; c < 16; c++)
					line = line "," sprintf("%.6g", rand() * 1000)
				for (c = 0; c < 3; c++)
					line = line "," words[1 + int(rand() * 3)]
				print line
			}
		}'
	} >"$1"
}

table old.csv 1 100000
table new.csv 2 100000
table old2.csv 1 200000
table new2.csv 2 200000
import="rm -f x.db && sqlite3 x.db '.mode csv' '.import old.csv a' '.import new.csv b'"
measure 5 "regild compare -q --old old.csv --new new.csv --csv out.csv" "$import" \
	"regild compare -q --old old2.csv --new new2.csv --csv out.csv" >measured
{
	read -r compared _ resident
	read -r imported _ _
	read -r _ _ resident_twice
} <measured
printf '       compare %s s, sqlite3 %s s\n' "$compared" "$imported"
bar "100,000 records × 20 columns: time over sqlite3's import" "$(ratio "$compared" "$imported")" 3 times
bar "peak memory of twice the records over it" "$(ratio "$resident_twice" "$resident")" 2.1 times
exit "$missed"
