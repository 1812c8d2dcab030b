#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Updates that are killed or fail at every operation that changes the disk. After a kill, --continue finds
# everything new and --abort everything old; after a failure nothing is changed. An operation that only
# reads leaves the disk as the one before it did, so there is nothing more to kill at.
# usage: tests/parts/crash.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
export regild=$top/$1/regild-faults REGILD_BUILD=$top/$1
export ROOT=tests/functional_tests/test_cases LC_ALL=C
# In memory where there is such a place: thousands of trees are copied and removed.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d)
export scratch HOME=$scratch
trap 'rm -rf "$scratch"' EXIT
. tests/cli/lib.sh
cd "$scratch" || exit 1

# Sanitizers make a run several times as slow: they take a sample.
stride=1
case $1 in *address* | *thread*) stride=9 ;; esac

# 50 goldens: 34 change, 8 are as they were, 8 are new.
make_template() {
	local i file
	mkdir template
	cd template || exit 1
	git init -q --template= -b main .
	for i in $(seq 1 50); do
		file=gpt/case$((i / 3))/golden_values_$i.json
		[ "$i" -gt 42 ] || golden "$ROOT/$file" 'lm loss' "$i" 2 3
		golden "../staged/files/$file" 'lm loss' "$i" 2 "$([ $((i % 5)) = 0 ] && echo 3 || echo 4)"
	done
	chmod 755 "$ROOT/gpt/case1/golden_values_4.json"
	commit
	git gc -q
	cd ..
	staging_manifest staged
	sed -i "s/\"tests with goldens\": [0-9]*/\"tests with goldens\": 17/" staged/manifest.json
	cp -r template/$ROOT old
	cp -r template new_tree
	"$regild" update -C "new_tree" "$scratch/staged" >/dev/null || exit 1
	cp -r new_tree/$ROOT new
}

# Is the tree like $1, names, bytes and modes, with nothing beside it?
is() {
	diff -rq "$1" "$2/$ROOT" >/dev/null && [ -z "$(find "$2" -name '.regild-*')" ] &&
		[ "$(stat -c %a "$2/$ROOT/gpt/case1/golden_values_4.json")" = 755 ]
}

# recover TREE NEW|OLD FLAG: a pending update is said, and the flag leads to that tree; where none is
# pending nothing was changed or everything done.
recover() {
	local tree=$1 wanted=$2 flag=$3
	if [ ! -d "$tree/.git/regild/pending" ]; then
		is old "$tree" || is new "$tree" || return 1
		"$regild" update -C "$tree" "$scratch/staged" >/dev/null 2>&1 && is new "$tree" &&
			[ ! -e "$tree/.git/regild/preparing" ]
		return
	fi
	"$regild" update -C "$tree" "$scratch/staged" 2>&1 >/dev/null | grep -q 'was interrupted' || return 1
	"$regild" update -C "$tree" "$flag" >/dev/null 2>&1 && is "$wanted" "$tree" &&
		[ ! -d "$tree/.git/regild/pending" ]
}

kill_at() {
	local n=$1 tree=$scratch/kill$1 status=0
	cp -r template "$tree"
	REGILD_FAULT=kill:$n "$regild" update -C "$tree" "$scratch/staged" >/dev/null 2>&1 || status=$?
	cp -r "$tree" "$tree.b"
	[ "$status" = 137 ] || echo "kill at $n: exit code $status"
	recover "$tree" new --continue || echo "kill at $n: --continue"
	recover "$tree.b" old --abort || [ ! -e "$tree.b/.git/regild/updates/2" ] || echo "kill at $n: --abort"
	rm -rf "$tree" "$tree.b"
}

# The same engine the other way round: an undo of the update.
kill_undo_at() {
	local n=$1 tree=$scratch/undo$1
	cp -r new_tree "$tree"
	REGILD_FAULT=kill:$n "$regild" undo -C "$tree" >/dev/null 2>&1 || true
	cp -r "$tree" "$tree.b"
	if [ -d "$tree/.git/regild/pending" ]; then
		"$regild" update -C "$tree" --continue >/dev/null 2>&1 && is old "$tree" || echo "undo killed at $n: --continue"
		"$regild" update -C "$tree.b" --abort >/dev/null 2>&1 && is new "$tree.b" || echo "undo killed at $n: --abort"
	elif ! is old "$tree" && ! is new "$tree"; then
		echo "undo killed at $n: neither old nor new"
	fi
	rm -rf "$tree" "$tree.b"
}

fail_undo_at() {
	local n=$1 tree=$scratch/fail$1 status=0
	cp -r new_tree "$tree"
	REGILD_FAULT=fail:unlinkat:$n:EIO "$regild" undo -C "$tree" >/dev/null 2>&1 || status=$?
	[ "$status" = 3 ] && is new "$tree" || echo "undo, unlinkat $n: exit code $status"
	rm -rf "$tree"
}

fail_at() {
	local errno=${1%:*} n=${1#*:} tree=$scratch/fail$1 status=0
	cp -r template "$tree"
	REGILD_FAULT=fail:$kind:$n:$errno "$regild" update -C "$tree" "$scratch/staged" >/dev/null 2>"$tree.err" || status=$?
	if [ "$status" = 0 ] && [ -n "${strict:-}" ]; then
		echo "$kind $n, $errno: exit code 0"
	elif [ "$status" = 0 ]; then
		# Only what is not a loss may fail in silence: the tree is right anyway.
		is new "$tree" || echo "$kind $n, $errno: exit code 0, and not all is new"
	elif [ "$status" != 3 ]; then
		echo "$kind $n, $errno: exit code $status"
	elif [ -d "$tree/.git/regild/pending" ]; then
		recover "$tree" old --abort || echo "$kind $n, $errno: --abort"
	elif ! is old "$tree"; then
		echo "$kind $n, $errno: something was changed"
	elif ! [ -s "$tree.err" ]; then
		echo "$kind $n, $errno: nothing was said"
	fi
	rm -rf "$tree" "$tree.err"
}
export -f is recover kill_at kill_undo_at fail_undo_at fail_at

# each FUNCTION NAME COMMAND…: runs the function over what the command prints, on two cores, and counts
# one test.
passed=0 failed=0
each() {
	local function=$1 name=$2 bad
	shift 2
	bad=$("$@" | xargs -P 2 -n 25 bash -c 'f=$1; shift; for n; do "$f" "$n"; done' _ "$function" 2>/dev/null) ||
		bad="$bad, and not all were tried: exit code $?"
	if [ -z "$bad" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s\n%s\n' "$name" "$bad" | head -n 20
	fi
}

(make_template) || exit 1
cp -r template counted
REGILD_FAULT=count:$scratch/counts "$regild" update -C "counted" "$scratch/staged" >/dev/null || exit 1
read -r changes operations _ <counts
[ "$changes" -gt 250 ] || { echo "only $changes operations are seen" && exit 1; }

each kill_at "an update that is killed at each of $changes operations" seq 1 $stride "$changes"
each kill_undo_at "an undo that is killed at every 5th operation" seq 1 $((stride * 5)) "$changes"
# The first removal is that of what an earlier one left.
each fail_undo_at "an undo that cannot remove one of the 8 new goldens" seq 2 9
export kind=change
for errno in ENOSPC EIO EROFS EACCES; do
	each fail_at "each of $changes operations failing by $errno" seq -f "$errno:%.0f" 1 $stride "$changes"
done
export kind=any
each fail_at "every 11th of $operations operations, reads too, failing by EIO" \
	seq -f "EIO:%.0f" 1 $((stride * 11)) "$operations"
# What the disk has not got is not done: 42 goldens and their 17 folders, two of them new, are synced, and
# the record's three files and three folders.
export strict=1 kind=fsync
each fail_at "each of 67 syncs failing" seq -f "EIO:%.0f" 1 $stride 67
kind=closewritten
# The fourth gives up the lock of the record's temporary, which has its name by then.
written_closes() {
	seq -f "EIO:%.0f" 1 $stride 3
	seq -f "EIO:%.0f" 5 $stride 46
}
each fail_at "each of 45 closes of what was written failing" written_closes
echo "crash tests:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
