#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exports of a history that are killed, or fail, at every operation that changes the disk: each day's file is the
# old one or the new one, and the next export leaves just the files of an undisturbed one.
# usage: tests/parts/export.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
regild=$PWD/$1/regild-faults
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
cd "$scratch" || exit 1

# import_runs FIRST LAST: a run a day.
import_runs() {
	local id
	for id in $(seq "$1" "$2"); do
		printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"2026-03-%02dT04:00:00Z","fork":false,"complete":true,"kind":"series","path":"t/a.json","sha256":"%064d","bytes":9,"records":null,"metric":"loss","text":null,"steps":[1],"values":[%d.5]}\n' \
			"$id" "$((id % 4 + 1))" "$id" "$id"
	done >runs.jsonl
	"$regild" history import -q runs.jsonl || exit 1
}

# Is each file of `tried` the old or the new one?
is_whole() {
	local file
	for file in tried/*; do
		cmp -s "$file" "old/${file#*/}" || cmp -s "$file" "new/${file#*/}" || return 1
	done
}

# disturb FAULT STATUSES: an export with that fault, and one without.
disturb() {
	local status=0
	cp -r old tried
	REGILD_FAULT=$1 "$regild" history export -q tried >/dev/null 2>errors || status=$?
	[[ $status == [$2] || $status == "$2" ]] || echo "$1: exit code $status"
	is_whole || echo "$1: a file is neither old nor new"
	[ "$2" = 137 ] || [ -s errors ] || echo "$1: nothing was said"
	"$regild" history export -q tried || echo "$1: the next export: exit code $?"
	diff -r tried new || echo "$1: the next export is another one"
	rm -r tried
}

import_runs 1 8
"$regild" history export -q old || exit 1
import_runs 9 12
cp -r old new && REGILD_FAULT=count:$scratch/counts "$regild" history export -q new || exit 1
read -r changes _ <counts
[ "$changes" -ge 20 ] || { echo "only $changes operations are seen" && exit 1; }
passed=0 failed=0
for kind in kill fail; do
	bad=$(for n in $(seq 1 "$changes"); do
		if [ $kind = kill ]; then
			disturb "kill:$n" 137
		else
			# 4: some days have been written.
			disturb "fail:change:$n:ENOSPC" 34
		fi
	done)
	if [ -z "$bad" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL export/%s\n%s\n' $kind "$bad" | head -n 20
	fi
done
echo "exports:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
