#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reruns all tables, on as many processors as there are tables, and prints them in order.
# usage: tests/simulate/run.sh BUILD_DIR
set -u
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tables="verdicts runs pipeline breaks smallest tolerances ordered uneven training"
status=0
for table in $tables; do
	"$build/simulate" "$table" >"$scratch/$table" 2>&1 &
	echo $! >"$scratch/$table.pid"
done
for table in $tables; do
	wait "$(cat "$scratch/$table.pid")" || [ $? = 77 ] || status=1
	cat "$scratch/$table"
done
exit $status
