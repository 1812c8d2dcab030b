# SPDX-License-Identifier: Apache-2.0
# VTR's tables: long keys, and columns of texts in which every record changes. A line says what and how often;
# -v and JSON say where, too.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.csv\n' >.regild
mkdir g
table() {
	echo 'name,memory,host,short'
	for i in 1 2 3 4 5 6; do
		echo "k6_frac_N10_frac_chain_mem32K_40nm.xml stereovision$i.blif common,$((i + $2)).25 pages,$1,$1"
	done
}
table precision-tower-5810.example 80 >g/x.csv
commit
table agent-3 60 | sed 's/,agent-3$/,/' >g/x.csv
regild compare --json all.json --markdown short.md
grep '→' short.md
echo '== whole'
regild compare -q -v | grep '→'
grep -o '"changes": "[^"]*"' all.json
regild report all.json --markdown again.md
cmp short.md again.md
grep -o '"steps": "[^"]*"' all.json
echo '== all records that came and went, by name'
{ echo name,time && for i in 1 2 3 4 5 6 7 8 9 10; do printf 'same%d,1\nold model %d,1\n' $i $i; done; } >g/x.csv
git commit -qam 'other records'
sed -i 's/old/new/' g/x.csv
regild compare -v 2>&1 >plain | grep 'records on'
regild compare 2>&1 >quiet | { ! grep 'records on'; }
