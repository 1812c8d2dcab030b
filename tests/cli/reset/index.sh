# SPDX-License-Identifier: Apache-2.0
# reset and an index that is in a conflict, holds work, is only announced, cannot be written.
new_repository
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8; done
commit
git checkout -q -b theirs
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
git rm -q $ROOT/gpt/b/golden_values_dev.json
commit
git checkout -q main
for test in a b; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 2; done
commit
echo '# a conflict is over, and nothing is left of it in the index'
git merge -q theirs >/dev/null && exit 1
git status --short
try regild reset --yes
git ls-files -u
git write-tree >/dev/null
git status --short
echo '# what the index alone holds is not lost, and said'
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 3
git add $ROOT/gpt/c
git show HEAD:$ROOT/gpt/c/golden_values_dev.json >$ROOT/gpt/c/golden_values_dev.json
try regild reset --yes
git status --short
git restore --staged $ROOT
echo '# announced only'
golden $ROOT/gpt/n/golden_values_dev.json 'lm loss' 3
git add -N $ROOT/gpt/n
try regild reset --yes
git status --short
echo '# the index is locked'
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 3
git add $ROOT/gpt/a
touch .git/index.lock
try regild reset -q --yes
rm .git/index.lock
git status --short
git reset -q --hard
echo '# what git was told to pass over stays, and so does the mark'
file=$ROOT/gpt/a/golden_values_dev.json
golden $file 'lm loss' 4
git update-index --skip-worktree $file
try regild reset --yes
git ls-files -v $file
git update-index --no-skip-worktree $file
git update-index --assume-unchanged $file
chmod +x $file
try regild reset --yes
git ls-files -v $file
git update-index --no-assume-unchanged $file
try regild reset --yes
