# SPDX-License-Identifier: Apache-2.0
# Goldens in Git LFS, whose filter libgit2 does not run: git has pointers to them.
new_repository
git config regild.files '*.json'
text='{"m": {"values": {"1": 1}}}'
for name in touched changed missing; do
	mkdir -p $ROOT/s/$name
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' \
		"$(echo "$text" | sha256sum | cut -d ' ' -f 1)" $((${#text} + 1)) >$ROOT/s/$name/golden.json
done
commit
echo "$text" >$ROOT/s/touched/golden.json
echo "${text/ 1/ 2}" >$ROOT/s/changed/golden.json
echo '# what the pointer stands for is no change'
try regild compare
echo '# a tree has pointers only'
commit
try regild compare --base HEAD~1 --to HEAD
try regild compare --file $ROOT/s/missing/golden.json
echo '# the working tree may have them'
git checkout -q HEAD~1
try regild check
echo "# what Git LFS's own store has is read, of a commit and in a linked worktree, too"
git checkout -q main
store() {
	local id
	id=$(sha256sum | cut -d ' ' -f 1)
	mkdir -p .git/lfs/objects/${id:0:2}/${id:2:2}
	printf "%s\n" "$text" >.git/lfs/objects/${id:0:2}/${id:2:2}/$id
}
echo "$text" | store
for revisions in 'HEAD~1 HEAD' 'HEAD~1'; do
	regild compare --base ${revisions/ / --to } --top 0 --csv -
done
git worktree add -q ../linked HEAD~1
regild -C ../linked check
echo '# where lfs.storage says'
mv .git/lfs ../objects-of-all
git config lfs.storage "$PWD/../objects-of-all"
regild compare --base HEAD~1 --to HEAD --top 0 --csv -
mv ../objects-of-all .git/elsewhere
git config lfs.storage elsewhere
regild -C ../linked check
mv .git/elsewhere .git/lfs
try regild -C ../linked check -q
git config --unset lfs.storage
echo '# one of another size is not it'
id=$(echo "$text" | sha256sum | cut -d ' ' -f 1)
echo more >>.git/lfs/objects/${id:0:2}/${id:2:2}/$id
regild compare --base HEAD~1 --to HEAD
# exit: 4
