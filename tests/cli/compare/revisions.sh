# SPDX-License-Identifier: Apache-2.0
# Between commits, and from where two branches parted.
new_repository
git config regild.files '*.json'
golden $ROOT/s/a/golden.json m 1 2
golden $ROOT/s/b/golden.json m 1 2
commit
git branch other
golden $ROOT/s/a/golden.json m 1 4
commit second
git checkout -q other
golden $ROOT/s/b/golden.json m 1 8
commit third
git tag -a -m 'a tag' v1

echo '# main to other'
regild compare -q --base main --to other --csv -
echo '# from where they parted'
regild compare -q --base main --to other --merge-base --csv -
regild compare -q --base main --merge-base --csv -
echo '{{old_side}} to {{new_side}}' >sides.html
regild compare -q --base main --merge-base --html - --html-template sides.html
regild compare -q --staged --html - --html-template sides.html
regild compare -q --base main --to other --html - --html-template sides.html
echo '# a tag, an older commit'
regild compare -q --base v1~1 --to v1 --csv -
echo '# files by name'
regild compare -q --base main --to other --file $ROOT/s/a/golden.json --csv -
try regild compare --base main --to other --file $ROOT/s/none/golden.json --csv -
echo '# that name nothing'
try regild compare --base nothing
try regild compare --to 'HEAD:no/such'
try regild compare --base main..other
try regild compare --base main --to main...other
try regild compare --base ":$ROOT/s/a/golden.json"
try regild compare --base ':/no..such'
git checkout -q --orphan island
commit island
try regild compare --base main --merge-base
