#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The project's own checks: each verdict on each metric of ../shared/corpus/refresh, and of goldens made for
# it, must be what tests/parts/corpus/checks.py works out apart from regild, by Megatron-LM's rules.
#
# usage: tests/parts/corpus-checks.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
regild=$PWD/$1/regild
oracle=$PWD/tests/parts/corpus/checks.py
corpus=$PWD/../shared/corpus/refresh
passed=0 failed=0 skipped=0
scratch=$(scratch_of_memory)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
if ! python3 -c 'import json, random' 2>/dev/null; then
	echo "skip corpus-checks: python3 is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# hold NAME BASE NEW: a repository with NEW's files over BASE's, every verdict.
hold() {
	local work=$scratch/$1 status=0
	git init -q -b main "$work"
	cp -r "$2/." "$work" && chmod -R u+w "$work"
	git -C "$work" add -A
	git -C "$work" -c user.name=t -c user.email=t@example.com commit -q -m base
	cp -r "$3/." "$work" && chmod -R u+w "$work"
	"$regild" compare -C "$work" --json "$work.json" >"$work.out" 2>"$work.err" || status=$?
	if { [ "$status" = 0 ] || [ "$status" = 4 ]; } &&
		python3 "$oracle" hold "$2" "$work" "$work.json" >"$work.held"; then
		passed=$((passed + 1))
		echo "ok corpus-checks/$1: $(tail -n 1 "$work.held")"
	else
		failed=$((failed + 1))
		echo "FAIL corpus-checks/$1: exit code $status"
		tail -n 5 "$work.err"
		head -n 20 "$work.held"
	fi
}

# both NAME BASE NEW: as it is, and with tests' settings beside the goldens.
both() {
	hold "$1" "$2" "$3"
	cp -r "$3" "$scratch/$1-new" && chmod -R u+w "$scratch/$1-new"
	python3 "$oracle" configure "$scratch/$1-new" "${#1}"
	hold "$1-configured" "$2" "$scratch/$1-new"
}

mkdir "$scratch/made"
python3 "$oracle" make "$scratch/made" "$([ -n "${TEST_LONG:-}" ] && echo 600 || echo 150)"
both made-up "$scratch/made/base" "$scratch/made/new"
for folder in "$corpus"/*/; do
	name=$(basename "$folder")
	if [ -e "$folder/base" ]; then
		both "$name" "${folder%/}/base" "${folder%/}/new"
	else
		skipped=$((skipped + 1))
		echo "skip corpus-checks/$name: no corpus beside the checkout"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
