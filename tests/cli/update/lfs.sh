# SPDX-License-Identifier: Apache-2.0
# A golden in Git LFS: an update writes the file, and git's own filter, which only git can run, makes the
# pointer of it when it is added.
cat >../clean <<'SH'
#!/bin/sh
# As git-lfs does: the file goes to its store, what comes out is a pointer.
cat >"$1/file"
id=$(sha256sum <"$1/file" | cut -d ' ' -f 1)
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' "$id" "$(wc -c <"$1/file")"
folder=$1/objects/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-4)
mkdir -p "$folder" && mv "$1/file" "$folder/$id"
SH
chmod +x ../clean
new_repository
mkdir .git/lfs
git config filter.lfs.clean "$PWD/../clean $PWD/.git/lfs"
echo '*.json filter=lfs -text' >.gitattributes
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
commit
golden ../staged/$ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 7
try regild refresh -q --from ../staged --stage
regild compare -q --csv -
git add -A
git show ":$ROOT/gpt/a/golden_values_dev.json" | head -n 1
regild compare --staged -q --csv -
echo '== what is a pointer in the tree is held back'
git show ":$ROOT/gpt/a/golden_values_dev.json" >pointer
mv pointer $ROOT/gpt/a/golden_values_dev.json
golden ../staged/$ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 6
regild refresh -q --from ../staged
# exit: 4
