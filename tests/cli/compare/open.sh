# SPDX-License-Identifier: Apache-2.0
# --open writes the page and has BROWSER, or xdg-open, show it.
needs_executorch
exec 2>&1
new_repository
golden "$ROOT/gpt/a/golden_values.json" "lm loss" 10 9 8
commit
golden "$ROOT/gpt/a/golden_values.json" "lm loss" 10 9.5 8
mkdir bin
browser() {
	printf '#!/bin/sh\nprintf "%%s" "${0##*/}" >&2\nprintf " <%%s>" "$@" >&2\necho >&2\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}
browser firefox
browser 'my browser'
browser broken 'exit 3'
browser killed 'kill -KILL $$'
# open_with BROWSER …: with programs of the test's own alone.
open_with() {
	BROWSER=$1 PATH=$PWD/bin "$REGILD_BUILD/regild" compare --columns metric,n_steps --open "${@:2}"
}
# The same of page.html, without the table.
open_page() {
	open_with "$1" -q --html page.html "${@:2}" >/dev/null
}

echo '# a file that was named, with what an address or a shell would read otherwise'
open_with firefox --html 'a page #1 ü%s;touch ran.html'
echo '# one of its own, which stays for the browser; a report on stdout stays whole'
open_with firefox --csv - 2>&1 | sed 's|regild/tmp/[^/]*/|regild/tmp/NAME/|'
regild compare -q --html page.html --columns metric,n_steps >/dev/null
cmp "$HOME"/.cache/regild/tmp/*/report.html page.html
echo '# arguments, quotes and %s; no shell reads them'
open_page 'firefox  -o "a b" --url=%s '"'%s'"
open_page "'my browser' \$HOME; touch ran"
[ ! -e ran ]
echo '# several: the first that shows it'
open_page ':missing:broken:my" "browser:firefox'
echo '# none shows it: the page is there, and the exit code says that something is missing'
rm page.html
try open_page missing
[ -s page.html ]
try open_page broken:killed
try open_page ' '
try open_page "$(seq -s ' ' 1 65)"
echo '# without BROWSER it is xdg-open'
try open_page ''
browser xdg-open
open_page :
echo '# the gate has its say first'
try open_page firefox --fail-above 1e-9
echo '# nothing is left of a page that was not written'
rm -r "$HOME/.cache"
try open_with firefox --filter none
find "$HOME/.cache/regild/tmp" -mindepth 1
try open_with firefox --html -
echo '# from the JSON; no summary goes to stdout then'
regild compare -q --json rows.json --html page.html >/dev/null
BROWSER=firefox PATH=$PWD/bin "$REGILD_BUILD/regild" report rows.json --open 2>&1 |
	sed 's|regild/tmp/[^/]*/|regild/tmp/NAME/|'
cmp "$HOME"/.cache/regild/tmp/*/report.html page.html
echo '# of one file of results, which has no table to wait for'
printf 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail\na,a,,f,,Pass,\n' >results.csv
BROWSER=firefox PATH=$PWD/bin "$REGILD_BUILD/regild" show results.csv --open --html page.html
