# SPDX-License-Identifier: Apache-2.0
# The page has the records of a table that changed, the largest first, and those that one side lacks.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.csv\n' >.regild
printf 'name,accuracy,graph_breaks,speedup\nalexnet,pass,6,1.25\ndcgan,pass,0,2\nhf_Bert,pass,4,1\n"<b>&""x""",pass,1,4\nresnet,pass,1,1\n' >training.csv
printf 'name,n\na,1\n' >equal.csv
printf 'name,n\na,1\nb,2\n' >other.csv
commit
printf 'name,accuracy,graph_breaks,speedup\nalexnet,pass,6,1.25\ndcgan,pass,2,2.0000001\n"<b>&""x""",<script>,1,3\nresnet,,1,\nvit,pass,1,1\n' >training.csv
printf 'name,n\na,1.5\nb,2\n' >other.csv
regild compare -q --html page.html --json all.json >/dev/null
sed -n '/Records that changed/,/<.section>/p' page.html
echo '== JSON'
sed -n '/"tables"/,/^  ]/p' all.json
regild report all.json --html again.html
cmp page.html again.html
echo '== what a filter leaves out, or the policy ignores, is not told'
cells() {
	regild compare -q "$@" --html - | grep -o '<tr class="cell" data-file="[^"]*" data-column="[^"]*"' || true
}
cells --filter metric=speedup
printf '[metric "*"]\n\tkind = ignore\n[metric "graph_breaks"]\n\tkind = relative\n' >>.regild
cells
echo '== many are bounded'
git checkout -q .
for i in {1..150}; do printf 'r%d,%d,x%d\n' "$i" "$i" "$i"; done >rows
{ echo 'name,n,text' && cat rows; } | tee $(seq -f many-%02g.csv 60) >/dev/null
commit
{ echo 'name,n,text' && sed 's/,/,9/g' rows; } | tee $(seq -f many-%02g.csv 60) >/dev/null
regild compare -q --html page.html >/dev/null
grep -c 'tr class="cell"' page.html
sed -n '/Records that changed/,/<.section>/p' page.html | grep -o '[0-9]* more .* changed' | sort | uniq -c
