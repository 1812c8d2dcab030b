# SPDX-License-Identifier: Apache-2.0
# reset: goldens back to HEAD, what is not a golden untouched, all of it undone again.
new_repository
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8; done
echo keep >$ROOT/gpt/a/notes.txt
echo keep >golden_values_elsewhere.json
chmod 755 $ROOT/gpt/b/golden_values_dev.json
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
rm $ROOT/gpt/b/golden_values_dev.json
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 2
git add -A
golden $ROOT/gpt/n/golden_values_new.json 'lm loss' 2
golden $ROOT/gpt/m/golden_values_new.json 'lm loss' 2
git add $ROOT/gpt/m
echo work >>$ROOT/gpt/a/notes.txt
echo work >>golden_values_elsewhere.json
ln -s golden_values_dev.json $ROOT/gpt/a/golden_values_link.json
cp -r $ROOT before
rmdir before/gpt/b
git status --short -uall
echo '# a list first; no terminal to ask on'
try regild reset
try regild reset 'gpt/x*' --yes
regild reset --dry-run 'gpt/[ab]'
try regild reset --yes
git status --short -uall
stat -c %a $ROOT/gpt/b/golden_values_dev.json
[ ! -e $ROOT/gpt/n ]
echo '# and back'
regild undo
diff -r before $ROOT
regild undo --list | sed 's/[0-9-]* [0-9:]* UTC/TIME/'

echo '# for programs'
try regild reset --json -
regild reset --dry-run --json - 'gpt/[ab]' | checked_json
regild reset --yes --json - | checked_json | tail -n 8
regild undo | tail -n 1

echo '# a disk that is full: said, and nothing is changed'
REGILD_FAULT=fail:rename:1:ENOSPC try regild-faults reset --yes | tail -n 1
diff -r before $ROOT
echo '# what is staged alone is not lost'
git add $ROOT/gpt/a/golden_values_dev.json
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 3
try regild reset --yes 'gpt/a'
git status --short $ROOT/gpt/a
echo '# never through a link'
mv $ROOT/gpt/c elsewhere
ln -s ../../../../elsewhere $ROOT/gpt/c
try regild reset --yes 'gpt/c'
ls elsewhere
