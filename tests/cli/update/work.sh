# SPDX-License-Identifier: Apache-2.0
# Somebody's work that git does not show in the files, or not as this repository's, is held back too.
new_repository
for test in told marked staged ours fine; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5
done
commit

echo '# files that git was told not to look at'
golden $ROOT/gpt/told/golden_values_dev.json 'lm loss' 10 9 7
git update-index --assume-unchanged $ROOT/gpt/told/golden_values_dev.json
git update-index --skip-worktree $ROOT/gpt/marked/golden_values_dev.json
echo "/$ROOT/gpt/ignored" >.git/info/exclude
golden $ROOT/gpt/ignored/golden_values_dev.json 'lm loss' 10 9 7
golden ../staged/files/gpt/ignored/golden_values_dev.json 'lm loss' 10 9 8.5
staging_manifest ../staged
cp -r $ROOT before
try regild update ../staged --except 'gpt/[fos]*'
diff -r before $ROOT
git update-index --no-skip-worktree $ROOT/gpt/marked/golden_values_dev.json

echo '# work that is in the index only'
golden $ROOT/gpt/staged/golden_values_dev.json 'lm loss' 1 2 3
git add $ROOT/gpt/staged
golden $ROOT/gpt/staged/golden_values_dev.json 'lm loss' 10 9 8
try regild update ../staged --stage --only 'gpt/[fs]*'
git show :$ROOT/gpt/staged/golden_values_dev.json | grep -o '"values.*'

echo '# but not what an update staged'
regild update ../staged -q --stage --only gpt/ours
golden ../staged/files/gpt/ours/golden_values_dev.json 'lm loss' 10 9 8.6
staging_manifest ../staged
regild update ../staged -q --only gpt/ours
golden ../staged/files/gpt/ours/golden_values_dev.json 'lm loss' 10 9 8.7
staging_manifest ../staged
regild update ../staged -q --only gpt/ours

echo '# a submodule, and another repository'
git commit -qm staged
git init -q -b main ../sub
(cd ../sub && golden x/golden_values_dev.json 'lm loss' 1 2 && commit)
git -c protocol.file.allow=always submodule --quiet add "$SCRATCH/sub" $ROOT/sub
commit
git init -q $ROOT/inner

rm -r ../staged/files/gpt
for test in sub/x inner/y; do golden ../staged/files/$test/golden_values_dev.json 'lm loss' 1 3; done
staging_manifest ../staged
try regild update ../staged --stage --allow dirty
git status --short -uno $ROOT
git submodule --quiet deinit -f $ROOT/sub
try regild update -q ../staged --only 'sub/*' --stage
git status --short -uno $ROOT

echo '# a conflict, though HEAD'\''s bytes stand there'
rm -r ../staged/files/*
golden ../staged/files/gpt/ours/golden_values_dev.json 'lm loss' 4
golden $ROOT/gpt/ours/golden_values_dev.json 'lm loss' 3
git add $ROOT/gpt/ours
git commit -qm ours
git checkout -q -b theirs HEAD^
git rm -q $ROOT/gpt/ours/golden_values_dev.json
git commit -qm theirs
git checkout -q main
git merge -q theirs >/dev/null || true
staging_manifest ../staged
try regild update ../staged --stage
git status --short -uno $ROOT/gpt/ours

echo '# and markers'
git reset -q --hard
git checkout -q -b markers
golden $ROOT/gpt/ours/golden_values_dev.json 'lm loss' 5
git commit -qa -m markers
git checkout -q main
golden $ROOT/gpt/ours/golden_values_dev.json 'lm loss' 6
git commit -qa -m ours
git merge -q markers >/dev/null || true
try regild update ../staged
try regild update ../staged --metric 'lm loss' --allow dirty
