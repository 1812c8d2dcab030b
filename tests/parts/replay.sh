#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The corpus's history, commit by commit: is what was said before a commit borne out by it? Each version of a golden
# with nine before it is judged by a model of these, against the one before. A golden that was replaced and, by the
# next commit, put right again has to be called changed, and then the odd one.
# usage: tests/parts/replay.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
regild=$PWD/$1/regild history=$PWD/../shared/corpus/history
if [ ! -d "$history" ]; then
	echo "skip replay: no ../shared/corpus"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
for golden in "$history"/*/; do
	name=$(basename "$golden") count=0
	for version in "$golden"[0-9]*.json; do
		mkdir -p "$name/$((100 + count))/g/t"
		cp "$version" "$name/$((100 + count))/g/t/golden_values_x.json"
		count=$((count + 1))
	done
	for ((k = 9; k < count; k++)); do
		versions=()
		for ((i = 0; i < k; i++)); do versions+=("$name/$((100 + i))"); done
		"$regild" audit -q --model model.db --from "${versions[@]}" >/dev/null 2>&1
		said=$("$regild" compare -q --noise model.db --old "$name/$((99 + k))" --new "$name/$((100 + k))" |
			grep -A 1 '^NOISE ' | sed 's/^NOISE//' | tr -s '\n ' '  ')
		echo "$name version $k: $said"
	done
done >answers
failed=0
expect() {
	grep -qE "$1" answers && return
	echo "FAIL replay: no answer is $1"
	failed=1
}
expect '^bert-tp1-pp2 version 9: *the new run differs .*the golden is like'
expect '^bert-tp1-pp2 version 10: *the new run is like .*the golden differs'
[ -n "${TEST_LONG-}" ] && cat answers
[ $failed = 0 ] || cat answers
echo "replay: of $(wc -l <answers) commits $(grep -c 'the new run is like' answers) are noise, $(grep -c 'the new run differs' answers) changed, $(grep -c 'not enough runs' answers) have not enough runs"
echo "$((1 - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ]
