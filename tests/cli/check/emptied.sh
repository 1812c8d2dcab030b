# SPDX-License-Identifier: Apache-2.0
# A golden that was emptied is found, of any format.
new_repository
printf '[regild]\n\troot = g\n\tfiles = "*"\n' >.regild
mkdir -p g
printf '{"m": 1}' >g/a.json
printf 'energy = 5\n' >g/b.txt
printf 'name,v\na,7\n' >g/c.csv
printf '\0one' >g/d.dat
commit
try regild check
for file in a.json b.txt c.csv d.dat; do
	: >g/$file
done
try regild check
try regild check --changed
git add -A
try regild check --staged
