#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the commit once more, in another folder and with nothing of the first build but the sources that were fetched,
# and compares each file of build/dist/out with what that gives. Closes with "N passed, N failed, N skipped".
# usage: release/again.sh VERSION ARCH…
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
shift
again=$PWD/build/dist/built-again/in/another/folder
rm -rf build/dist/built-again
mkdir -p "$again/build/dist"
git archive HEAD | tar x -C "$again"
ln -s "$PWD/build/dist/sources" "$again/build/dist/sources"
# git's own facts of a commit, which an archive does not have.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH GIT_DIR=$PWD/.git CCACHE_DISABLE=1
[ -d "$GIT_DIR" ] || GIT_DIR=$(git rev-parse --absolute-git-dir)
(cd "$again" && make --no-print-directory dist DIST_ARCHES="$*" VERSION="$version" >log 2>&1) || {
	tail -n 30 "$again/log"
	exit 1
}
passed=0 failed=0
for file in build/dist/out/*; do
	if cmp "$file" "$again/$file"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
