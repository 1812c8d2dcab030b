# SPDX-License-Identifier: Apache-2.0
# Calls that contradict themselves are refused before anything is read.
new_repository
golden $ROOT/s/t/golden.json m 1
commit
try regild compare --csv - --markdown -
try regild compare --to HEAD --staged
try regild compare --merge-base
try regild compare --old a --new b --no-renames
try regild compare --threshold -1
try regild compare --top -1
try regild compare --top 3x
try regild compare --columns file,nothing
try regild compare --columns file,file
try regild compare --sort nothing
try regild compare --filter job=x
try regild compare --fail-above much
try regild compare --template none.md --markdown -
try regild compare --template none.md
try regild compare --html-template none.html
try regild audit --history . --template none.md
# Two reports in one file: the second would be all that is left. A device takes both.
try regild compare --csv new --json ./new
: >report.csv
ln -s report.csv linked
try regild compare --csv linked --html ./linked
try regild compare -q --csv /dev/null --json /dev/null
printf '[regild]\n\troot = [\n[oops\n' >.regild
try regild compare
