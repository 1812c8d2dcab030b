# SPDX-License-Identifier: Apache-2.0
# Which files are compared, and what becomes of those that cannot be.
new_repository
git config regild.files '*.json'
for name in staged both unstaged same removed deleted bad link old-name; do
	golden $ROOT/s/$name/golden.json m 1 2 3 4
done
seq 100 200 | while read -r n; do echo "\"$n\": $n,"; done >body
{ echo '{"m": {"values": {'; cat body; echo '"999": 1}}}'; } >$ROOT/s/old-name/golden.json
echo '*.ignored.json' >.gitignore
echo '{' >$ROOT/s/bad/was-bad.json
golden outside.json m 1
rm body
commit
golden $ROOT/s/staged/golden.json m 1 2 3 5
git add $ROOT
golden $ROOT/s/both/golden.json m 1 2 3 5
git add $ROOT
golden $ROOT/s/both/golden.json m 1 2 3 6
golden $ROOT/s/unstaged/golden.json m 1 2 3 7
golden $ROOT/s/untracked/golden.json other 1
golden $ROOT/s/untracked/golden.ignored.json other 1
golden $ROOT/s/bad/was-bad.json m 1
golden outside.json m 2
echo 'not for us' >$ROOT/s/notes.txt
rm $ROOT/s/removed/golden.json
git rm -q $ROOT/s/deleted/golden.json
: >$ROOT/s/bad/golden.json
ln -sf ../same/golden.json $ROOT/s/link/golden.json
git mv $ROOT/s/old-name $ROOT/s/new-name
sed -i 's/^"100": 100/"100": 50/' $ROOT/s/new-name/golden.json
cp .git/index ../index

try regild compare
echo '# nothing in the repository has changed by looking'
cmp .git/index ../index
echo '# without following renames'
try regild compare --no-renames --csv - 2>&1
echo '# the index'
regild compare --staged --csv -
echo '# by name, from a subfolder, changed or not'
cd $ROOT/s
try regild compare --csv - --file same/golden.json --file ./unstaged/golden.json \
	--file "$PWD/removed/golden.json" --file untracked/golden.json --file same/golden.json
try regild compare --csv - --file same/golden.json --file never/was.json
echo '# one that is outside'
try regild compare --file /elsewhere.json
try regild compare --file same
try regild compare --file .
try regild compare --file ''
echo '# what cannot be read is named once'
git config regild.maxFile 20
try regild compare -q --file same/golden.json --file unstaged/golden.json
mkdir -p ../new/x ../old/x
echo '{}' >../old/x/golden.json
cp same/golden.json ../new/x/golden.json
try regild compare -q --old ../old --new ../new
try regild compare -q --old ../old/x/golden.json --new ../new/x/golden.json
try regild compare -q --old ../old/x/golden.json --new ../new/x/none.json
