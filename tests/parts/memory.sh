#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocation N fails, for every N, in a comparison, its report again and an update: never a crash, never success with
# something missing.
# usage: tests/parts/memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
export regild=$top/$1/regild-faults REGILD_BUILD=$top/$1
export LC_ALL=C
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d)
export scratch HOME=$scratch
trap 'rm -rf "$scratch"' EXIT
. tests/cli/lib.sh
export ROOT
cd "$scratch" || exit 1

stride=1
case $1 in *address* | *thread*) stride=9 ;; esac

make_template() {
	mkdir template
	cd template || exit 1
	git init -q --template= -b main .
	for test in a b c; do
		golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8 -- mem 5 5 5
		golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5 -- mem 5 5 6
	done
	golden ../staged/files/gpt/new/golden_values_dev.json 'lm loss' 1
	# A table that is written in the manner of the one in the tree.
	printf 'name,v\n\na,"1"\n' >$ROOT/gpt/a/times.csv
	printf 'name,v\na,2\nb,3\n' >../staged/files/gpt/a/times.csv
	printf '[regild]\n\tfiles = golden_values_*.json times.csv\n[metric "lm *"]\n\tflag = 1e-3\n' >.regild
	commit
	golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 10 9 8.25 -- mem 5 5 6
	commit
	git gc -q
	cd ..
	staging_manifest staged
	sed -i 's/"file": "times.csv"/"rewrite": {"round": 3}, &/' staged/manifest.json
	sed -i "s/\"attempt\": 1}/\"attempt\": 1, \"head_commit\": \"$(git -C template rev-parse HEAD~1)\"}/" \
		staged/manifest.json
	cp -r template new_tree
	"$regild" update -C new_tree "$scratch/staged" >/dev/null || exit 1
}

# The project's own checks, which ask a file beside the golden.
make_checks() {
	mkdir checks
	cd checks || exit 1
	git init -q --template= -b main .
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
	printf 'METRICS: [lm loss]\nEXACT: 0\n' >$ROOT/gpt/a/model_config.yaml
	printf '[check "own"]\n\tmetric = lm loss\n\tdecimals = 2\n\tunless = EXACT in model_config.yaml\n' >.regild
	commit
	golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
	cd ..
}

# A table, with a record of its own on each side and one over its tolerance, and an opaque golden.
make_table() {
	mkdir table
	cd table || exit 1
	git init -q --template= -b main .
	printf '[regild]\n\troot = .\n\tfiles = *.csv *.txt\n[table "*.csv"]\n\tkey = name\n\ttolerance = noise\n' >.regild
	printf 'name,time,state,noise\na,1,pass,0.1\nb,2,fail,0.2\nd,2,fail,\n' >t.csv
	printf 'first\nsecond\n' >notes.txt
	commit
	printf 'name,time,state,noise\nb,3,pass,0.2\na,1,pass,0.1\nc,4,pass,\n' >t.csv
	printf 'first\nthird\n' >notes.txt
	cd ..
}

# The numbers of allocations to fail, from a run that counts them.
allocations() {
	REGILD_FAULT=count:$scratch/counts "$regild" "$@" >/dev/null 2>&1 || return 1
	cut -d ' ' -f 3 "$scratch/counts"
}

# Death by a signal, or an exit code that a command does not have.
is_crash() {
	[ "$1" -gt 4 ]
}

# tell COMMAND N CODE OUT SUFFIX…: what is wrong with what it left.
tell() {
	local what="$1, allocation $2" status=$3 out=$4 suffix
	if is_crash "$status"; then
		echo "$what: exit code $status"
	elif [ "$status" = 0 ]; then
		for suffix in "${@:5}"; do
			cmp -s "expected.$suffix" "$out.$suffix" ||
				echo "$what: exit code 0, and something is missing in $suffix"
		done
	elif ! [ -s "$out.err" ]; then
		echo "$what: exit code $status, and nothing is said"
	fi
	rm -f "$out".*
}

# compare_tree TREE OUT: everything that a comparison writes.
compare_tree() {
	"$regild" compare -C "$1" --csv "$2.$1.csv" --markdown "$2.$1.md" --json "$2.$1.json" --html "$2.$1.html" \
		--annotate >"$2.$1.annotated"
}

fail_tree() {
	local tree=$1 n=$2 out=$scratch/compare$2 status=0
	REGILD_FAULT=oom:$n compare_tree "$tree" "$out" 2>"$out.err" || status=$?
	tell "compare of $tree" "$n" $status "$out" "$tree".{csv,md,json,html,annotated}
}

fail_compare() {
	fail_tree new_tree "$1"
}

fail_checks() {
	fail_tree checks "$1"
}

fail_table() {
	fail_tree table "$1"
}

# Sides that are not both in git.
fail_sides() {
	local n=$1 out=$scratch/sides$1 status=0
	REGILD_FAULT=oom:$n "$regild" compare -C template HEAD~1 "zip:$scratch/side.tar.gz" --csv "$out.side.csv" -- $ROOT/gpt \
		>/dev/null 2>"$out.err" || status=$?
	tell 'compare with an archive' "$n" $status "$out" side.csv
}

# Two zips, each in a zip.
fail_zips() {
	local n=$1 out=$scratch/zips$1 status=0
	REGILD_FAULT=oom:$n "$regild" compare old-outer.zip new-outer.zip --csv "$out.zips.csv" >/dev/null 2>"$out.err" ||
		status=$?
	tell 'compare of zips' "$n" $status "$out" zips.csv
}

fail_report() {
	local n=$1 out=$scratch/report$1 status=0
	REGILD_FAULT=oom:$n "$regild" report expected.new_tree.json --markdown "$out.new_tree.md" --html "$out.new_tree.html" \
		2>"$out.err" || status=$?
	tell report "$n" $status "$out" new_tree.{md,html}
}

fail_update() {
	local n=$1 tree=$scratch/update$1 status=0
	cp -r template "$tree"
	REGILD_FAULT=oom:$n "$regild" update -C "$tree" "$scratch/staged" >/dev/null 2>"$tree.err" || status=$?
	if is_crash $status; then
		echo "update, allocation $n: exit code $status"
	elif [ $status = 0 ] || [ $status = 4 ]; then
		diff -r "new_tree/$ROOT" "$tree/$ROOT" >/dev/null ||
			echo "update, allocation $n: exit code $status, and something is missing"
	else
		if [ -d "$tree/.git/regild/pending" ]; then
			"$regild" update -C "$tree" --abort >/dev/null || echo "update, allocation $n: --abort"
		fi
		diff -r "template/$ROOT" "$tree/$ROOT" >/dev/null ||
			echo "update, allocation $n: exit code $status, and something was changed"
		[ -s "$tree.err" ] || echo "update, allocation $n: nothing is said"
	fi
	rm -rf "$tree" "$tree.err"
}
export -f is_crash tell compare_tree fail_tree fail_compare fail_checks fail_table fail_sides fail_zips fail_report fail_update

passed=0 failed=0
# each FUNCTION NAME COUNT: runs the function over 1 … COUNT on two cores, and counts one test.
each() {
	local bad
	bad=$(seq 1 $stride "$3" | xargs -P 2 -n 25 bash -c 'f=$1; shift; for n; do "$f" "$n"; done' _ "$1" 2>/dev/null) ||
		bad="$bad, and not all were tried: exit code $?"
	if [ -z "$bad" ] && [ "$3" -gt 50 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s, %d allocations\n%s\n' "$2" "$3" "$bad" | head -n 20
	fi
}

(make_template) || exit 1
(make_checks) || exit 1
(make_table) || exit 1
# each_compare FUNCTION NAME TREE: a comparison of that tree.
each_compare() {
	compare_tree "$3" "$scratch/expected" 2>/dev/null || exit 1
	REGILD_FAULT=count:$scratch/counts compare_tree "$3" "$scratch/x" 2>/dev/null || exit 1
	each "$1" "$2" "$(cut -d ' ' -f 3 counts)"
}
each_compare fail_compare "a comparison without memory" new_tree
each_compare fail_checks "a comparison with checks without memory" checks
each_compare fail_table "a comparison of a table and an opaque golden without memory" table
tar -C staged/files -czf side.tar.gz .
"$regild" compare -C template HEAD~1 "zip:$scratch/side.tar.gz" --csv "$scratch/expected.side.csv" >/dev/null 2>&1
each fail_sides "a comparison with an archive without memory" \
	"$(allocations compare -C template HEAD~1 "zip:$scratch/side.tar.gz" --csv "$scratch/x.csv" -- $ROOT/gpt)"
for side in old new; do
	(
		export REGILD_TOP=$top
		. "$top/tests/formats/goldens.sh"
		golden_model $side/qnn/m
		truncate -s 2M $side/qnn/m.pte
		(cd $side && zip -qr ../$side.zip .)
		zip -q $side-outer.zip $side.zip
	)
done
"$regild" compare old-outer.zip new-outer.zip --csv "$scratch/expected.zips.csv" >/dev/null 2>&1
each fail_zips "a comparison of zips without memory" \
	"$(allocations compare old-outer.zip new-outer.zip --csv "$scratch/x.csv")"
each fail_report "a report without memory" \
	"$(allocations report expected.new_tree.json --markdown "$scratch/x.md" --html "$scratch/x.html")"
cp -r template counted
each fail_update "an update without memory" "$(allocations update -C counted "$scratch/staged")"

echo "memory tests:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
