# SPDX-License-Identifier: Apache-2.0
# A table's first line is a header only if it can be one, and what stands before it is read as it is meant.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.csv *.tsv *.txt *.dat\n' >.regild
printf 'energy,-1.5\nforce,0.25\n' >bare.csv
printf ',2016,2017\nreturns,100,200\n' >years.csv
printf '"Inner_Iter",     "rms[Rho]"     ,    "rms[E]"\t\n 0, -1.5, -2\n 1, -2, -4\n' >history.csv
printf 'name, note\na, "x, y"\nb, "z" w\n' >padded.csv
printf 'sep=;\r\nname;energy, eV\r\na;-1\r\n' >excel.csv
printf '# made by solver 2.1\n# on Tue Mar  5 10:21:43 UTC 2024, 2024-03-05\n\n# name, energy\na,1\nb,2\n' >remarks.csv
printf '# a remark, with a comma\nname,energy\na,1\n# b,2\nb,4\n' >prose.csv
printf '## v1\n#name\ttime\na\t2\n' >remarks.txt
printf '#chr\tpos\na\t2\n' >remark.tsv
printf '# on 5 March 2024\n# x y\n0 1\n1 2\n' >dated.dat
commit
echo '== each row is by hand'
printf 'energy,-1.5\nforce,0.5\n' >bare.csv              # c2: (0.5 - 0.25) / 0.25 over 2 records: -0.5
printf ',2016,2017\nreturns,100,250\n' >years.csv        # 2017: -50 / 200
sed -i 's/-4/-3/' history.csv                            # rms[E]: (-4 + 3) / -4 over 2: 0.125
printf 'name, note\na, "x, z"\nb, "z" w\n' >padded.csv   # a: x, y -> x, z
printf 'sep=;\r\nname;energy, eV\r\na;-2\r\n' >excel.csv # energy, eV: -1
sed -i 's/2$/3/; s/:21:43/:22:59/; s/-05$/-06/; s/  5/ 16/' remarks.csv
sed -i 's/,4/,5/' prose.csv
sed -i 's/2$/3/' remarks.txt remark.tsv
sed -i 's/5 March 2024/16 April 2025/; s/2$/4/' dated.dat
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff,changes
regild compare --json - --file bare.csv | checked_json compare | grep -o '"notes": "[^,]*, and'
echo '== a number in a remark is not lost without a word'
sed -i 's/solver 2.1/solver 2.2/' remarks.csv
regild compare --json - --file remarks.csv | checked_json compare | grep -o '"notes": "[^,]*,'
echo '== who says that it is a header is believed'
git checkout -q .
printf '[table "bare.csv"]\n\theader = yes\n' >>.regild
sed -i 's/0.25/0.5/' bare.csv
regild compare -q --csv - --file bare.csv --columns metric,n_steps,avg_rel_diff
echo '== what is written keeps its manner'
git checkout -q .
printf '[source "results"]\n\tartifact = results*\n\tmembers = **\n\ttarget = {path}\n\tround = 12\n' >>.regild
mkdir -p ../new/results
printf 'energy,-1.5\nforce,0.5\n' >../new/results/bare.csv
printf '"Inner_Iter","rms[Rho]","rms[E]"\n0,-1.5,-2\n1,-2,-3\n' >../new/results/history.csv
printf 'sep=;\nname;energy, eV\na;-2\n' >../new/results/excel.csv
printf 'name,energy\na,1\nb,3\n' >../new/results/remarks.csv
regild refresh -q --from ../new >/dev/null
git diff --no-ext-diff -U0 -- '*.csv' | grep '^[-+]' | cat -A
