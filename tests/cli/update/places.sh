# SPDX-License-Identifier: Apache-2.0
# Where updates work: subfolders, linked worktrees, sparse checkouts, twins in case, line-end conversion,
# UTF-8 names; and what they say beside.
new_repository
for test in a b; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5
done
commit
mv staged ..
staging_manifest ../staged
top=$PWD

echo '# from a subfolder, and siblings'
golden $ROOT/gpt/a/golden_values_dev_dgx_gb200.json 'lm loss' 1
commit
(cd $ROOT/gpt && regild update --only gpt/a "$top/../staged")
git status --short
echo '# folders and links are no siblings'
git checkout -q .
mkdir $ROOT/gpt/a/deeper
ln -s golden_values_dev.json $ROOT/gpt/a/link
git config regild.files '**'
regild update --only gpt/a ../staged
git config --unset regild.files
rm -r $ROOT/gpt/a/deeper $ROOT/gpt/a/link

echo '# a linked worktree has its own journal'
git checkout -q .
git worktree add -q ../linked
(cd ../linked && regild update ../staged -q && git status --short && regild undo -q && git status --short)
regild undo --list | wc -l

echo '# outside the sparse checkout'
golden ../staged/files/bert/new/golden_values_dev.json 'lm loss' 1
staging_manifest ../staged
(cd ../linked && git sparse-checkout set --cone $ROOT/gpt/a && try regild update ../staged && git status --short)

echo '# a partial clone with a sparse checkout'
git config uploadpack.allowFilter true
git clone -q --filter=blob:none --no-checkout "file://$PWD" ../partial
(
	cd ../partial
	git sparse-checkout set --cone $ROOT/gpt/a
	git checkout -q main
	try regild update -q ../staged
	git status --short
	regild reset --yes -q
	regild compare --quiet
)

echo '# the file system takes no notice of case'
git config core.ignorecase true
mkdir -p ../twins/files/gpt/A ../twins/files/gpt/n ../twins/files/gpt/N
golden ../twins/files/gpt/A/golden_values_dev.json 'lm loss' 10 9 8.5
golden ../twins/files/gpt/n/golden_values_dev.json 'lm loss' 10 9 8.5
golden ../twins/files/gpt/N/golden_values_dev.json 'lm loss' 10 9 8.5
staging_manifest ../twins
try regild update ../twins
git config core.ignorecase false
git status --short

echo '# line ends: the bytes in the tree are the artifact'\''s, the index has what git would put there'
git config core.autocrlf true
echo '*.json text' >.gitattributes
git add .gitattributes
sed -i 's/$/\r/' ../staged/files/gpt/a/golden_values_dev.json
staging_manifest ../staged
echo untouched >other
git add -N other
regild update ../staged -q --only gpt/a --stage
cmp ../staged/files/gpt/a/golden_values_dev.json $ROOT/gpt/a/golden_values_dev.json
git status --short
git show :$ROOT/gpt/a/golden_values_dev.json | grep -c $'\r' || true

echo '# a filter that only git can run'
git config core.autocrlf false
echo '*.json filter=lfs' >.gitattributes
try regild update ../staged -q --only gpt/b --stage
# What git has looked at just before, it looks at again or not as the clock has it.
touch $ROOT/gpt/a/golden_values_dev.json
git status --short

echo '# UTF-8'
mkdir -p '../utf/files/gpt/größe'
golden '../utf/files/gpt/größe/golden_values_dév.json' 'lm löss' 1
staging_manifest ../utf
regild update ../utf
cmp '../utf/files/gpt/größe/golden_values_dév.json' "$ROOT/gpt/größe/golden_values_dév.json"
