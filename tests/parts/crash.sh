#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Updates that are killed or fail at every operation that changes the disk. After a kill, --continue finds
# everything new and --abort everything old; after a failure nothing is changed. An operation that only
# reads leaves the disk as the one before it did, so there is nothing more to kill at.
# usage: tests/parts/crash.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
. tests/faults/lib.sh

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
	diff -rq "$1" "$2/$ROOT" >/dev/null && [ "$(find "$2" -name '.regild-*' -o -path "$2/$ROOT/gpt/case1/golden_values_4.json" \
		-printf '%m\n')" = 755 ]
}

# update TREE ARGUMENT…: an update that nothing stops.
update() {
	faulty none /dev/null "$1.err" update -C "$@"
}

# recover TREE NEW|OLD FLAG: a pending update is said, and the flag leads to that tree; where none is
# pending nothing was changed or everything done.
recover() {
	local tree=$1 wanted=$2 flag=$3
	if [ ! -d "$tree/.git/regild/pending" ]; then
		is old "$tree" || is new "$tree" || return 1
		update "$tree" "$scratch/staged" && is new "$tree" && [ ! -e "$tree/.git/regild/preparing" ]
		return
	fi
	update "$tree" "$scratch/staged"
	says "$tree.err" 'was interrupted' || return 1
	update "$tree" "$flag" && is "$wanted" "$tree" && [ ! -d "$tree/.git/regild/pending" ]
}

kill_at() {
	local n=$1 tree=$scratch/kill$1 status=0
	cp -r template "$tree"
	faulty "kill:$n" /dev/null /dev/null update -C "$tree" "$scratch/staged" || status=$?
	cp -r "$tree" "$tree.b"
	[ "$status" = 137 ] || echo "kill at $n: exit code $status"
	recover "$tree" new --continue || echo "kill at $n: --continue"
	recover "$tree.b" old --abort || [ ! -e "$tree.b/.git/regild/updates/2" ] || echo "kill at $n: --abort"
	rm -rf "$tree"{,.b}{,.err}
}

# The same engine the other way round: an undo of the update.
kill_undo_at() {
	local n=$1 tree=$scratch/undo$1
	cp -r new_tree "$tree"
	faulty "kill:$n" /dev/null /dev/null undo -C "$tree"
	cp -r "$tree" "$tree.b"
	if [ -d "$tree/.git/regild/pending" ]; then
		update "$tree" --continue && is old "$tree" || echo "undo killed at $n: --continue"
		update "$tree.b" --abort && is new "$tree.b" || echo "undo killed at $n: --abort"
	elif ! is old "$tree" && ! is new "$tree"; then
		echo "undo killed at $n: neither old nor new"
	fi
	rm -rf "$tree"{,.b}{,.err}
}

fail_undo_at() {
	local n=$1 tree=$scratch/fail$1 status=0
	cp -r new_tree "$tree"
	faulty "fail:unlinkat:$n:EIO" /dev/null /dev/null undo -C "$tree" || status=$?
	[ "$status" = 3 ] && is new "$tree" || echo "undo, unlinkat $n: exit code $status"
	rm -rf "$tree"
}

fail_at() {
	local errno=${1%:*} n=${1#*:} tree=$scratch/fail$1 status=0
	cp -r template "$tree"
	faulty "fail:$kind:$n:$errno" /dev/null "$tree.said" update -C "$tree" "$scratch/staged" || status=$?
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
	elif ! [ -s "$tree.said" ]; then
		echo "$kind $n, $errno: nothing was said"
	fi
	rm -rf "$tree" "$tree".{err,said}
}
# reject TREE FAULT: prints what is wrong. Nothing is beside the file, which is as it was or has the line, as is said.
reject_at() {
	local fault=$1 tree=$scratch/reject${1//:/-} status=0 has=
	cp -r template "$tree"
	echo '# kept' >"$tree/.regild-rejected"
	faulty "$fault" /dev/null "$tree.said" reject -C "$tree" "$ROOT/gpt/case1/golden_values_4.json" --because broken || status=$?
	[ "$(git -C "$tree" status --porcelain -uall)" = '?? .regild-rejected' ] || echo "reject, $fault: $(git -C "$tree" status --porcelain -uall)"
	! grep -q broken "$tree/.regild-rejected" || has=1
	[ "$(head -n 1 "$tree/.regild-rejected")" = '# kept' ] || echo "reject, $fault: the file is not what it was"
	case $fault$status$has in
	kill*137 | kill*1371 | fail*3 | fail*41 | fail*01) ;;
	*) echo "reject, $fault: exit code $status, and the line is ${has:-not }there: $(cat "$tree.said")" ;;
	esac
	update "$tree" "$scratch/staged" && [ ! -e "$tree/.git/regild/preparing" ] || echo "reject, $fault: the next update"
	rm -rf "$tree"{,.said,.err}
}
export -f is update recover kill_at kill_undo_at fail_undo_at fail_at reject_at

(make_template) || exit 1
cp -r template counted
faulty "count:$scratch/counts" /dev/null /dev/null update -C counted "$scratch/staged"
read -r changes operations _ <counts
[ "${changes:-0}" -gt 250 ] || { echo "only $changes operations are seen" && exit 1; }

each kill_at "an update that is killed at each of $changes operations" < <(points 1 "$changes")
each kill_undo_at "an undo that is killed at every 5th operation" < <(points 1 "$changes" $((stride * 5)))
# The first removal is that of what an earlier one left.
each fail_undo_at "an undo that cannot remove one of the 8 new goldens" < <(seq 2 9)
export kind=change
# Of a sample each error has points of its own, which together are those of a kill.
errors=(ENOSPC EIO EROFS EACCES)
apart=$((stride == 1 ? 1 : stride * ${#errors[@]}))
for i in "${!errors[@]}"; do
	each fail_at "each of $changes operations failing by ${errors[i]}" \
		< <(points $((1 + i * stride % apart)) "$changes" $apart | sed "s/^/${errors[i]}:/")
done
cp -r template rejecting
faulty "count:$scratch/counts" /dev/null /dev/null reject -C rejecting "$ROOT/gpt/case1/golden_values_4.json" --because broken
read -r rejects _ <counts
[ "$rejects" -gt 4 ] || echo "a reject: only $rejects operations are seen"
each reject_at "a reject, killed or failing at each of $rejects operations" < <(for fault in kill:% fail:change:%:EIO; do
	seq 1 "$rejects" | sed "s/.*/$fault/;" | awk '{ sub("%", NR); print }'
done)
export kind=any
each fail_at "every 11th of $operations operations, reads too, failing by EIO" < <(points 1 "$operations" $((stride * 11)) | sed 's/^/EIO:/')
# What the disk has not got is not done: 42 goldens and their 17 folders, two of them new, are synced, and
# the record's three files and three folders.
export strict=1 kind=fsync
each fail_at "each of 67 syncs failing" < <(points 1 67 | sed 's/^/EIO:/')
kind=closewritten
# The fourth gives up the lock of the record's temporary, which has its name by then.
each fail_at "each of 45 closes of what was written failing" < <(points 1 46 | sed '/^4$/d; s/^/EIO:/')

# ---- opening the cache and the history, SQLite's own operations too ----
# Each point starts regild, as the folders are said by the environment.
opening() { REGILD_FAULT=$1 REGILD_FAULT_SQLITE=1 XDG_CACHE_HOME=$2 XDG_DATA_HOME=$2 "$regild" "${@:3}" >"$2.said" 2>&1; }
# What somebody had in the place of the cache is whole, under its name or another, and the next call works.
kill_open_at() {
	local n=$1 folder=$scratch/open$1 file status=0
	mkdir -p "$folder/regild"
	cp "$found" "$folder/regild/cache.db"
	cp wal "$folder/regild/cache.db-wal"
	opening "kill:$n" "$folder" cache list || status=$?
	[ "$status" = 137 ] || echo "opening $found killed at $n: exit code $status"
	opening none "$folder" cache list || echo "opening $found killed at $n: the next call: $(cat "$folder.said")"
	opening none "$folder" cache list && [ "$(wc -l <"$folder.said")" = 1 ] || echo "opening $found killed at $n: the call after that"
	for file in "$folder"/regild/cache.db "$folder"/regild/*/cache.db; do
		cmp -s "$file" "$found" && rm -rf "$folder" "$folder.said" && return
	done
	echo "opening $found killed at $n: it is gone"
}
# A new history is none, or one to add to.
kill_first_at() {
	local n=$1 folder=$scratch/first$1 status=0
	opening "kill:$n" "$folder" history merge good.db || status=$?
	[ "$status" = 137 ] || echo "a new history killed at $n: exit code $status"
	opening none "$folder" history list || echo "a new history killed at $n: list: $(cat "$folder.said")"
	opening none "$folder" history merge good.db && opening none "$folder" history show 1 ||
		echo "a new history killed at $n: merge: $(cat "$folder.said")"
	rm -rf "$folder" "$folder.said"
}
# changes_of ARGUMENT…: how many operations change the disk, in the folder "counting".
changes_of() { opening "count:$scratch/counts" "$scratch/counting" "$@" && read -r changes _ <counts && rm -rf counting; }
export -f opening kill_open_at kill_first_at

if command -v sqlite3 >/dev/null; then
	hub_runs fixture 1
	start_hub "$scratch/fixture"
	opening none "$scratch/made" audit -q --repo NVIDIA/Megatron-LM --runs 1 --csv /dev/null
	stop_hub
	trap 'rm -rf "$scratch"' EXIT
	cp made/regild/history.db good.db
	printf 'UPDATE entries SET used = 1;\n.shell cp made/regild/cache.db-wal wal\n' | sqlite3 made/regild/cache.db
	echo 'my only copy' >text
	sqlite3 notes.db 'CREATE TABLE notes (text); INSERT INTO notes VALUES (1)'
	for found in text notes.db; do
		export found
		mkdir -p counting/regild && cp "$found" counting/regild/cache.db && cp wal counting/regild/cache.db-wal
		changes_of cache list
		[ "$changes" -gt 10 ] || echo "opening a cache: only $changes operations are seen"
		each kill_open_at "opening a cache that is $found, killed at each of $changes operations" < <(points 1 "$changes")
	done
	changes_of history merge good.db
	[ "$changes" -gt 10 ] || echo "a new history: only $changes operations are seen"
	each kill_first_at "a new history killed at each of $changes operations" < <(points 1 "$changes")
fi
finish "crash tests"
