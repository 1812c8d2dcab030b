#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Memory runs out, at five points each of a comparison with all its reports, an update, an audit and a download: one
# line says so, the exit code is 3, and what is there is whole.
# usage: tests/parts/memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
. tests/faults/lib.sh

make_template() {
	mkdir template
	cd template || exit 1
	new_repository
	for test in a b c; do
		golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8 -- mem 5 5 5
		golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5 -- mem 5 5 6
		golden ../runs/1/$test/golden_values_dev.json 'lm loss' 10 9 8
		golden ../runs/2/$test/golden_values_dev.json 'lm loss' 10 9 8.5
	done
	commit
	cd ..
	staging_manifest staged
}

# Each is called with a fault, and what it writes begins with the second word.
compare() {
	faulty "$1" /dev/null "$2.err" compare --old template/$ROOT/gpt --new staged/files/gpt --csv "$2.csv" --markdown "$2.md" \
		--json "$2.json" --html "$2.html"
}
update() {
	cp -r template "$2.tree"
	faulty "$1" /dev/null "$2.err" update -C "$2.tree" "$scratch/staged"
}
audit() {
	faulty "$1" /dev/null "$2.err" audit --csv "$2.csv" --json "$2.json" --markdown "$2.md" --model "$2.model" --from runs/*
}
download() {
	faulty "$1" /dev/null "$2.err" download -C template --from "$scratch/staged" --jobs 1 -o "$2.staged"
}

# fail_at COMMAND:N
fail_at() {
	local command=${1%:*} n=${1##*:} status=0 text left
	local out=$scratch/$command-$n
	"$command" "oom:$n" "$out" || status=$?
	IFS= read -r -d '' text <"$out.err"
	if [ $status != 3 ] || [ "${text##*regild: error: }" != $'out of memory\n' ]; then
		echo "$command, allocation $n: exit code $status: $text"
	fi
	for left in "$out".*; do
		case $left in
		*.err) ;;
		*.tree)
			[ ! -d "$left/.git/regild/pending" ] || "$regild" update -C "$left" --abort >/dev/null 2>&1 ||
				echo "update, allocation $n: --abort"
			diff -r "template/$ROOT" "$left/$ROOT" >/dev/null || diff -r "$command-none.tree/$ROOT" "$left/$ROOT" ||
				echo "update, allocation $n: something is half-written"
			;;
		*.staged)
			[ ! -e "$left/manifest.json" ] || diff -r "$command-none.staged/files" "$left/files" ||
				echo "download, allocation $n: something is half-written"
			;;
		*.json) # It has the call, in which files are named otherwise.
			diff <(sed "s#[^ \"]*/$command-none#F#g" "$command-none.json") <(sed "s#[^ \"]*/$command-$n#F#g" "$left") ||
				echo "$command, allocation $n: $left is half-written"
			;;
		*) cmp "$command-none.${left##*.}" "$left" || echo "$command, allocation $n: $left is half-written" ;;
		esac
	done
	rm -rf "$out".*
}
export -f compare update audit download fail_at

(make_template) || exit 1
for command in compare update audit download; do
	"$command" none "$scratch/$command-none"
	"$command" "count:$scratch/counts" "$scratch/$command-counted"
	read -r _ _ allocations <counts
	[ "$allocations" -gt 50 ] || allocations=0
	each fail_at "five points of $command without memory, of $allocations" \
		< <(for part in 1 3 5 7 9; do echo "$command:$((allocations * part / 10))"; done)
done
finish "memory tests"
