# SPDX-License-Identifier: Apache-2.0
# Extensions of a repository's format that change nothing for what regild reads lock nobody out: one 'git worktree add' by
# git 2.48 sets relativeWorktrees, in whose worktrees paths are relative. For the others the message names what helps.
mkdir repository && cd repository
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 2
git worktree add -q ../linked
echo 'gitdir: ../repository/.git/worktrees/linked' >../linked/.git
echo '../../../../linked/.git' >.git/worktrees/linked/gitdir
golden ../linked/$ROOT/gpt/a/golden_values_dev.json 'lm loss' 3
# git itself may be older than the extension.
cp .git/config ../config
extension() {
	sed 's/repositoryformatversion = 0/repositoryformatversion = 1/' ../config >.git/config
	printf '[extensions]\n\t%s\n' "$@" >>.git/config
}
extension 'relativeWorktrees = true' 'preciousObjects = true' 'worktreeConfig = true' noop-v1
regild compare -q --csv -
regild check
regild -C ../linked compare -q --csv -
(cd ../linked && regild check)
echo '# what libgit2 cannot read'
for line in 'refStorage = reftable' 'objectFormat = sha256' 'unheardOf = true'; do
	extension "$line"
	try regild compare 2>&1
done
