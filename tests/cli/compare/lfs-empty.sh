# SPDX-License-Identifier: Apache-2.0
# git-lfs leaves empty files as they are: a golden in Git LFS that was empty, or is now, has no values.
cat >../clean <<'SH'
#!/bin/sh
cat >"$1/file"
[ -s "$1/file" ] || exit 0
id=$(sha256sum <"$1/file" | cut -d ' ' -f 1)
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' "$id" "$(wc -c <"$1/file")"
folder=$1/objects/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-4)
mkdir -p "$folder" && mv "$1/file" "$folder/$id"
SH
chmod +x ../clean
new_repository
mkdir .git/lfs
git config filter.lfs.clean "$PWD/../clean $PWD/.git/lfs"
git config regild.files '*.json'
echo "$ROOT/** filter=lfs -text" >.gitattributes
mkdir -p $ROOT/s/was $ROOT/s/is $ROOT/s/added
: >$ROOT/s/was/golden.json
echo '{"m": {"values": {"1": 1}}}' >$ROOT/s/is/golden.json
commit
cp $ROOT/s/is/golden.json $ROOT/s/was/golden.json
: >$ROOT/s/is/golden.json
: >$ROOT/s/added/golden.json
try regild compare --fail-on lost
try regild check
commit
echo '== of a commit, whose values are in the store of Git LFS'
regild compare HEAD~1 HEAD
echo '== a refresh fills it'
mkdir -p ../staged/$ROOT
cp -r $ROOT/s ../staged/$ROOT
cp $ROOT/s/was/golden.json ../staged/$ROOT/s/is/golden.json
try regild refresh -q --from ../staged --only 's/is'
git checkout -q $ROOT
echo '== outside Git LFS no golden is empty'
git rm -q .gitattributes
regild compare HEAD~1 HEAD
# exit: 4
