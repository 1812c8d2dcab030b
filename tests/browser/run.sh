#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Opens regild's pages in a headless Chromium and closes with "N passed, N failed, N skipped".
# usage: tests/browser/run.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
. tests/environment.sh
export REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1 BROWSER_MODULES=$PWD/build/browser
export LC_ALL=C TZ=UTC TERM=dumb
CHROMIUM=$(command -v chromium)
SCRATCH=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$SCRATCH"' EXIT
export CHROMIUM SCRATCH HOME=$SCRATCH/home BROWSER_PAGES=$SCRATCH/pages
mkdir "$HOME" "$SCRATCH/work" "$BROWSER_PAGES"
(cd "$SCRATCH/work" && bash -e -c '. "$REGILD_TOP/tests/cli/lib.sh"; . "$REGILD_TOP/tests/browser/pages.sh"') \
	>"$SCRATCH/log" 2>&1 || {
	cat "$SCRATCH/log"
	echo "browser tests: the pages could not be made, see above"
	exit 1
}
timeout 600 node --test --test-reporter="$REGILD_TOP/tests/browser/reporter.mjs" tests/browser/*.test.mjs
