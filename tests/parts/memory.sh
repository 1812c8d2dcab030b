#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocation N fails, for every N, in a comparison, its report again and an update: never a crash, never success with
# something missing.
# usage: tests/parts/memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
. tests/faults/lib.sh

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

# compare_tree FAULT TREE OUT: everything that a comparison writes.
compare_tree() {
	faulty "$1" "$3.$2.annotated" "$3.err" compare -C "$2" --csv "$3.$2.csv" --markdown "$3.$2.md" --json "$3.$2.json" \
		--html "$3.$2.html" --annotate
}

fail_tree() {
	local tree=$1 n=$2 out=$scratch/compare$2 status=0
	compare_tree "oom:$n" "$tree" "$out" || status=$?
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
compare_sides() {
	faulty "$1" /dev/null "$2.err" compare -C template HEAD~1 "zip:$scratch/side.tar.gz" --csv "$2.side.csv" -- $ROOT/gpt
}

fail_sides() {
	local n=$1 out=$scratch/sides$1 status=0
	compare_sides "oom:$n" "$out" || status=$?
	tell 'compare with an archive' "$n" $status "$out" side.csv
}

# Two zips, each in a zip.
compare_zips() {
	faulty "$1" /dev/null "$2.err" compare old-outer.zip new-outer.zip --csv "$2.zips.csv"
}

fail_zips() {
	local n=$1 out=$scratch/zips$1 status=0
	compare_zips "oom:$n" "$out" || status=$?
	tell 'compare of zips' "$n" $status "$out" zips.csv
}

# The reports of a comparison that was kept.
report_again() {
	faulty "$1" /dev/null "$2.err" report expected.new_tree.json --markdown "$2.new_tree.md" --html "$2.new_tree.html"
}

fail_report() {
	local n=$1 out=$scratch/report$1 status=0
	report_again "oom:$n" "$out" || status=$?
	tell report "$n" $status "$out" new_tree.{md,html}
}

# update FAULT TREE
update() {
	faulty "$1" /dev/null "$2.err" update -C "$2" "$scratch/staged"
}

fail_update() {
	local n=$1 tree=$scratch/update$1 status=0
	cp -r template "$tree"
	update "oom:$n" "$tree" || status=$?
	if is_crash $status; then
		echo "update, allocation $n: exit code $status"
	elif [ $status = 0 ] || [ $status = 4 ]; then
		diff -r "new_tree/$ROOT" "$tree/$ROOT" >/dev/null ||
			echo "update, allocation $n: exit code $status, and something is missing"
	else
		[ -s "$tree.err" ] || echo "update, allocation $n: nothing is said"
		if [ -d "$tree/.git/regild/pending" ]; then
			faulty none /dev/null /dev/null update -C "$tree" --abort || echo "update, allocation $n: --abort"
		fi
		diff -r "template/$ROOT" "$tree/$ROOT" >/dev/null ||
			echo "update, allocation $n: exit code $status, and something was changed"
	fi
	rm -rf "$tree" "$tree.err"
}
export -f is_crash tell compare_tree compare_sides compare_zips report_again update
export -f fail_tree fail_compare fail_checks fail_table fail_sides fail_zips fail_report fail_update

# each_allocation FUNCTION NAME CALL ARGUMENT…: at each allocation of `CALL FAULT ARGUMENT… OUT`, which has to write
# what it writes without a fault, into $scratch/expected.
each_allocation() {
	local allocations
	"$3" none "${@:4}" "$scratch/expected"
	"$3" "count:$scratch/counts" "${@:4}" "$scratch/x"
	read -r _ _ allocations <counts
	[ "$allocations" -gt 50 ] || allocations=0
	each "$1" "$2, $allocations allocations" < <(points 1 "$allocations")
}

(make_template) || exit 1
(make_checks) || exit 1
(make_table) || exit 1
each_allocation fail_compare "a comparison without memory" compare_tree new_tree
each_allocation fail_checks "a comparison with checks without memory" compare_tree checks
each_allocation fail_table "a comparison of a table and an opaque golden without memory" compare_tree table
tar -C staged/files -czf side.tar.gz .
each_allocation fail_sides "a comparison with an archive without memory" compare_sides
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
each_allocation fail_zips "a comparison of zips without memory" compare_zips
each_allocation fail_report "a report without memory" report_again
cp -r template expected
cp -r template x
each_allocation fail_update "an update without memory" update
finish "memory tests"
