# SPDX-License-Identifier: Apache-2.0
# undo puts back bytes and modes, can be undone, refuses where a file has changed since.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
chmod 755 $ROOT/gpt/a/golden_values_dev.json
commit
cp -r $ROOT before
try regild undo
regild undo --list
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 1 2.5
golden staged/files/gpt/new/golden_values_dev.json 'lm loss' 1 2.5
staging_manifest staged 99
regild update -q staged
cp -r $ROOT after
echo '# undo'
regild undo
diff -r before $ROOT
stat -c %a $ROOT/gpt/a/golden_values_dev.json
[ ! -e $ROOT/gpt/new ]
echo '# undo of the undo'
regild undo 2
diff -r after $ROOT
regild undo --list | sed 's/[0-9-]* [0-9:]* UTC/TIME/'
echo '# changed since: refused, and nothing is touched'
echo >>$ROOT/gpt/b/golden_values_dev.json
cp -r $ROOT changed
try regild undo 1
try regild undo 3
try regild undo 2
try regild undo --list 2
diff -r changed $ROOT
rm $ROOT/gpt/b/golden_values_dev.json
try regild undo
try regild undo 17
try regild undo x
echo '# the last 20 are kept'
rm -rf $ROOT
git checkout -q .
rm -rf .git/regild
for i in {1..22}; do
	golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 "$i.5"
	staging_manifest staged "$i"
	regild update staged --only gpt/a >/dev/null
done
regild undo --list | wc -l
regild undo --list | tail -n 1 | sed 's/[0-9-]* [0-9:]* UTC/TIME/'
ls .git/regild/updates/22
echo '# what somebody staged stays, and reset takes it back: an update wrote it'
rm -rf $ROOT .git/regild
git checkout -q .
regild update -q staged --only 'gpt/[ab]'
git add $ROOT
regild undo
git status --short $ROOT
regild reset --yes
git status --short $ROOT
