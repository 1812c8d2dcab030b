# SPDX-License-Identifier: Apache-2.0
# Blocks of a gnuplot table: two curves are two series, so that neither dilutes the other's change.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.dat\n' >.regild
printf '# x y\n0 1\n1 2\n\n\n# the second curve\n0 10\n1 20\n2 40\n' >named.dat
printf '0 1\n1 2\n\n0 10\n1 20\n' >bare.dat
printf '0 1\n\n1 2\n\n2 4\n' >spaced.dat
commit
# y: (2.5 - 2) / 2 = 0.25 over 2 rows: 0.125; y#2: -(20 / 40) over 3.
printf '# x y\n0 1\n1 2.5\n\n\n# the second curve\n0 10\n1 20\n2 20\n' >named.dat
# c2#2: (15 - 10) / 10 over 2.
printf '0 1\n1 2\n\n0 15\n1 20\n' >bare.dat
# Rows with a blank line between all of them are one block: (5 - 4) / 4 over 3.
printf '0 1\n\n1 2\n\n2 5\n' >spaced.dat
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff
regild compare -q --html ../page.html >/dev/null
grep -o 'c2#2' ../page.html | sort -u
printf '[table "bare.dat"]\n\tcolumns = c2\n' >>.regild
regild compare -q --csv - --columns metric,n_steps,avg_rel_diff --file bare.dat
