#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real refreshes: for each folder of ../shared/corpus/refresh a repository with base/ committed and
# new/ laid over it; `regild compare --csv` must give expected.csv. Where goldens hold more than
# series, further rows may come between the expected ones, which keep their bytes and order.
#
# usage: tests/parts/corpus.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
regild=$PWD/$1/regild
corpus=$PWD/../shared/corpus/refresh
passed=0 failed=0 skipped=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com

# Is each line of $1 in $2, in the same order?
stands_in() {
	awk 'NR == FNR { expected[++n] = $0; next }
		at < n && $0 == expected[at + 1] { at++ }
		END { if (at < n) { print "missing: " expected[at + 1]; exit 1 } }' "$1" "$2"
}

# The corpus may be write-protected: its copies must not be.
copy() {
	cp -r "$1/." "$2"
	chmod -R u+w "$2"
}

lay_out() {
	git init -q -b main "$2"
	copy "$1/base" "$2"
	git -C "$2" add -A
	git -C "$2" commit -q -m base
	copy "$1/new" "$2"
}

# The exit code is 4 exactly where a side cannot be read, and each such file is named.
check() {
	local folder=$1 work=$2 status=0
	"$regild" compare -C "$work" --csv "$work.csv" >"$work.out" 2>"$work.err" ||
		status=$?
	if [ "$status" != 0 ] && [ "$status" != 4 ]; then
		echo "exit code $status"
		tail -n 3 "$work.err"
		return 1
	fi
	if [ "$status" = 4 ] && ! grep -q '\.json: ' "$work.err"; then
		echo "exit code 4, but no file is named"
		return 1
	fi
	stands_in "$folder/expected.csv" "$work.csv"
}

for folder in "$corpus"/*/; do
	name=$(basename "$folder")
	if [ ! -e "$folder/expected.csv" ]; then
		skipped=$((skipped + 1))
		echo "skip corpus/$name: no corpus beside the checkout"
		continue
	fi
	lay_out "${folder%/}" "$scratch/$name"
	if check "${folder%/}" "$scratch/$name"; then
		passed=$((passed + 1))
		more=$(($(wc -l <"$scratch/$name.csv") - $(wc -l <"$folder/expected.csv")))
		echo "ok corpus/$name: $(wc -l <"$folder/expected.csv") lines, $more further ones"
	else
		failed=$((failed + 1))
		echo "FAIL corpus/$name"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
