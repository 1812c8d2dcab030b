# SPDX-License-Identifier: Apache-2.0
# Where it works, and what it says where it does not.
section() {
	echo "# $1"
	echo "# $1" >&2
}

section 'outside a repository'
try regild compare
GIT_DIR=nowhere try regild compare
GIT_DIR=nowhere GIT_WORK_TREE=. try regild compare
for command in 'update staged' 'undo --list' 'reset --yes'; do try regild $command; done
section 'a folder that is not there'
try regild compare -C none
section 'bare'
git init -q --bare bare.git
(cd bare.git && try regild compare)
section 'without a commit'
new_repository
try regild compare
section 'a repository'
git config regild.files '*.json'
golden $ROOT/s/t/golden.json m 1 2
commit
golden $ROOT/s/t/golden.json m 1 4
regild compare --csv -
section 'from a subfolder, from elsewhere'
(cd $ROOT/s && regild compare --csv -)
(cd / && regild compare -C "$OLDPWD/$ROOT" --csv -)
section 'outputs are where the user is'
regild compare -q -C $ROOT/s --csv out.csv >/dev/null
head -n 1 $ROOT/s/out.csv
rm $ROOT/s/out.csv
section 'a linked worktree with a detached HEAD'
git worktree add -q --detach ../linked
cd ../linked
golden $ROOT/s/t/golden.json m 1 1
regild compare --csv -
section 'as the environment says'
cd /
GIT_DIR=$SCRATCH/work/.git GIT_WORK_TREE=$SCRATCH/work regild compare --csv -

section 'a file is unchanged where git says so: its line ends are the checkout'\''s'
cd "$SCRATCH/work"
printf '{"m": {"values":\n{"1": 1}}}\n' | tee $ROOT/s/touched.json $ROOT/s/ends.json >$ROOT/s/changed.json
commit
git config core.autocrlf true
rm $ROOT/s/*.json
git checkout -q $ROOT
touch -d 2020-01-01 $ROOT/s/touched.json
printf '{"m": {"values":\r\n{"1": 1}}}\r\n\r\n' >$ROOT/s/ends.json
sed -i 's/1}/2}/' $ROOT/s/changed.json
regild compare --csv -
git diff --stat

section 'a merge left it in conflict'
git config --unset core.autocrlf
git checkout -q -f .
git checkout -q -b theirs
golden $ROOT/s/t/golden.json m 7
commit
git checkout -q main
golden $ROOT/s/t/golden.json m 8
commit
golden $ROOT/s/changed.json m 2
git merge -q theirs >/dev/null && exit 1
try regild compare --csv -
try regild compare --staged --csv -
try regild compare --file $ROOT/s/t/golden.json --csv -
try regild check --changed
(cd $ROOT/s && try regild check --github t/golden.json)
git checkout -q --theirs $ROOT/s/t/golden.json
regild compare --csv -
git merge --abort
git checkout -q theirs
printf '[regild]\n\tmaxFile = 1M\n' >.regild
commit
git checkout -q main
printf '[regild]\n\tmaxFile = 2M\n' >.regild
commit
git merge -q theirs >/dev/null && exit 1
try regild compare --csv -

section 'the root is outside of a sparse checkout'
git merge --abort
git clone -q . ../sparse
cd ../sparse
git sparse-checkout set --no-cone /.regild
regild compare
regild check
cd ../work

section 'what a sparse checkout leaves out is as the index has it'
git init -q -b main ../cone
cd ../cone
git config regild.files '*.json'
for test in in out gone; do golden $ROOT/$test/golden.json m 1 2 3; done
golden $ROOT/in/old.json m 5 6 7
golden $ROOT/out/old.json m 8 9
commit
golden $ROOT/out/golden.json m 1 2 4
golden $ROOT/out/new.json m 1
git rm -q $ROOT/gone/golden.json
for test in in out; do git mv $ROOT/$test/old.json $ROOT/$test/moved.json; done
commit
git sparse-checkout set --no-cone /$ROOT/in
git diff --name-status HEAD~1
regild compare --base HEAD~1 --csv -
regild compare --base HEAD~1 --no-renames --csv -
regild compare --file $ROOT/out/golden.json --csv -
regild check --changed --base HEAD~1
cd ../work

section 'the root is in a submodule'
git init -q inner
git config regild.root inner/goldens
git -C inner config regild.files '*.json'
golden inner/goldens/golden.json m 1
try regild compare
try regild check
try regild -C inner check
git config --unset regild.root
