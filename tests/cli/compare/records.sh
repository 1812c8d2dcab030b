# SPDX-License-Identifier: Apache-2.0
# A record of a table that came or went is one finding for its golden, by name, and none of its cells is
# part of another: not of a column's losses, a text's changes, a gate's counts.
head=$(printf 'arch\tcircuit\tscript\ttime\tluts\thost')
for name in a b; do
	mkdir -p old/$name new/$name
	printf '%s\n' "$head" "k6	x.v	common	1.5	10	h1" "k6	y.v	common	2.5	20	h1" \
		"k6	z.v	common	3.5	30	h1" >old/$name/golden_results.txt
	printf '%s\n' "$head" "k6	y.v	common	2.5	20	h1" >new/$name/golden_results.txt
done
git init -q
printf '[regild]\n\tfiles = golden_results.txt\n[table "golden_results.txt"]\n\tkey = arch,circuit,script\n' >.regild

try regild compare --fail-on lost --fail-above '*=1e-3' --json lost.json --csv lost.csv --markdown lost.md old new
sed -n '/^ "shrunk"/,/^ }/p; /"conditions"/,/^  \]/p; /"kind": "bad"/p' lost.json
cat lost.csv
grep removed lost.md
try regild compare -v --fail-on lost old new >/dev/null

echo '== a gate that nobody asked about losses, and one for changes'
try regild compare -q --fail-above '*=1e-3' old new >/dev/null
try regild compare -q --fail-above '*=1e-3' --allow shrink old new >/dev/null
try regild compare -q --fail-above 'nothing=1e-3' old new >/dev/null
try regild compare -q --fail-on changed old new >/dev/null

echo '== added'
try regild compare --fail-above '*=1e-3' --fail-on lost new old
try regild compare -q --fail-on changed new old >/dev/null

echo '== removed, and a cell that is empty now, and a column'
printf '%s\n' "$head" "k6	y.v	common	2.5		h1" "k6	z.v	common	3.5	30	" >new/a/golden_results.txt
cut -f 1-4,6 old/b/golden_results.txt | sed 2d >new/b/golden_results.txt
try regild compare --fail-on lost --json lost.json old new
sed -n '/^ "shrunk"/,/^ }/p' lost.json

echo '== all of them'
printf '%s\n' "$head" >new/a/golden_results.txt
cp old/b/golden_results.txt new/b
try regild compare --fail-above 'luts=1e-3' old new
