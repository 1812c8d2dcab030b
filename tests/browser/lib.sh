# SPDX-License-Identifier: Apache-2.0
# Loaded by what opens pages, with BUILD_DIR as $1: the environment of the tests, and pages made by pages.sh.

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/environment.sh
export REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1 BROWSER_MODULES=$PWD/build/browser
export LC_ALL=C TZ=UTC TERM=dumb
CHROMIUM=$(command -v chromium)
SCRATCH=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$SCRATCH"' EXIT
export CHROMIUM SCRATCH HOME=$SCRATCH/home BROWSER_PAGES=$SCRATCH/pages
mkdir "$HOME" "$BROWSER_PAGES"

# make_pages FUNCTION…: of pages.sh.
make_pages() {
	local page
	for page; do
		mkdir -p "$SCRATCH/$page/work"
		(
			cd "$SCRATCH/$page/work"
			SCRATCH=${PWD%/work} bash -e -c \
				'. "$REGILD_TOP/tests/cli/lib.sh"; . "$REGILD_TOP/tests/browser/pages.sh"; "$1"' _ "$page"
		) >"$SCRATCH/log" 2>&1 || {
			cat "$SCRATCH/log"
			echo "browser: the page '$page' could not be made, see above"
			return 1
		}
	done
}
