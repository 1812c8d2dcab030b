# SPDX-License-Identifier: Apache-2.0
# Two folders that have nothing but tables hold goldens; and a layout that takes every file takes those
# that regild.files names, nothing else.
mkdir -p old new/t
printf 'name,loss\na,1\n' >old/x.csv
printf 'name,loss\na,2\n' >new/x.csv
printf 'seed = 1\n' >old/test.py
try regild compare -q --csv - --fail-on changed old new
rm -r old new
new_repository
printf '[regild]\n\tlayout = plain\n\troot = g\n\tfiles = *.csv\n' >.regild
mkdir -p g ../goldens
printf 'name,loss\na,1\n' >g/x.csv
printf 'seed = 1\n' >g/test.py
commit
printf 'name,loss\na,2\n' >../goldens/x.csv
printf 'seed = 2\n' | tee ../goldens/test.py >g/test.py
regild compare -q --csv -
regild refresh -q --from ../goldens --csv -
git status --short
