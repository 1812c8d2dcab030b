# SPDX-License-Identifier: Apache-2.0
# Tables that are nearly tables: pandas' semicolons, a missing tab of VTR's, comments and lines before the
# header, numpy's savetxt without a header, and a file of no known name.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.csv *.txt *.dat\n' >.regild
printf 't;energy\n1;-0,5\n2;1.25\n"a;b";3\n' >energy.csv
printf 'circuit\ttime\tmem\nfir\t4\nstereo\t2.5\t7\n' >golden_results.txt
printf '# made by a tool, 5.3 s\nrun 7\nname|loss\n# "b is missing\na|1.5\n' >log.dat
printf '1,0.5\n2,0.25\n' >bare.csv
cat >>.regild <<'END'
[table "log.dat"]
	delimiter = |
	comment = "#"
	skip = 2
END
commit
echo '== semicolons, missing cells, comments'
printf 't;energy\n1;-0,5\n2;1.5\n"a;b";3\n' >energy.csv
printf 'circuit\ttime\tmem\nfir\t5\nstereo\t2.5\t7\n' >golden_results.txt
printf '# made by a tool, 9.9 s\nrun 8\nname|loss\n# "c is missing\na|2.5\n' >log.dat
regild compare -q --csv - --columns file,metric,avg_rel_diff,changes
echo '== numbers are no header'
try regild check bare.csv
printf '[table "bare.csv"]\n\theader = no\n' >>.regild
printf '1,0.5\n2,0.125\n' >bare.csv
regild compare -q --csv - --file bare.csv
git config --file .regild table.bare.csv.header yes
regild compare -q --csv - --file bare.csv
git config --file .regild --remove-section table.bare.csv
git checkout -q .
echo '== words among numbers, with blanks between the cells: where a section names the file'
printf '# made by a tool\n# name  energy state\nfir   -1.5 ok\n b  2   N/A\n\n# the end\n' >results.dat
printf 'x 1\ny 2\n' >headless.dat
printf 'a 1\nb 2 3\n' >text.dat
printf '[table "results.dat"]\n\tkey = name\n[table "headless.dat"]\n\theader = no\n[table "text.dat"]\n\tkey = a\n' >>.regild
commit
sed -i 's/-1.5/-1.25/; s/ N/\tN/; s/ok/failed/' results.dat
sed -i 's/2/4/' headless.dat
regild compare -q --csv - --columns file,metric,avg_rel_diff,changes
try regild check text.dat headless.dat
git checkout -q .
echo '== an update keeps what it can'
printf '[source "results"]\n\tartifact = results*\n\tmembers = **\n\ttarget = {path}\n\tround = 12\n' >>.regild
mkdir -p ../new/results
printf 't,energy\n1,"-0,5"\n2,1.5\na;b,3\n' >../new/results/energy.csv
printf 'circuit\ttime\tmem\nfir\t4\t\nstereo\t2.25\t7\n' >../new/results/golden_results.txt
printf 'seconds: 3\nrun 9\nname|loss\na|2\n' >../new/results/log.dat
regild refresh -q --from ../new
git diff --no-ext-diff -U0 -- '*.csv' '*.txt' '*.dat' | grep '^[-+]'
echo '== what cannot be in .regild'
for line in 'delimiter = x' 'skip = -1' 'comment = ""' 'header = maybe' 'names = a,b'; do
	printf '[table "*.csv"]\n\t%s\n' "$line" >.regild
	try regild compare
done
