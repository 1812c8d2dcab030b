# SPDX-License-Identifier: Apache-2.0
# A golden that a section names and that cannot be read so is a finding; of a plain pattern for all it is
# none.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *\n[table "t.dat"]\n\tkey = name\n[text "none.txt"]\n\tignore = x\n[tensor "x.raw"]\n\tdtype = float32\n[text "*"]\n\tignore = date*\n' >.regild
mkdir g
printf 'name loss\na 1.5\nb\n' >g/t.dat
printf 'no number at all\n' >g/none.txt
printf 'abcd' >g/x.raw
printf 'a picture' >g/p.png
commit
try regild check
git config --file .regild table.t.dat.delimiter ,
try regild check
