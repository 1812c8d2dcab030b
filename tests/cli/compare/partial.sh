# SPDX-License-Identifier: Apache-2.0
# A partial clone lacks old baselines: what is missing is said with what fetches it, and then it is there.
mkdir origin && cd origin
new_repository
git config regild.files '*.json'
golden $ROOT/s/a/golden.json m 1
golden $ROOT/s/b/golden.json m 1
commit
golden $ROOT/s/a/golden.json m 2
golden $ROOT/s/b/golden.json m 2
commit two
git config uploadpack.allowFilter true
git clone -q --filter=blob:none "file://$PWD" ../clone 2>/dev/null || skip "needs a git with partial clones"
cd ../clone
# libgit2 1.5 leaks a regular expression's memory where a repository has extensions.
git config core.repositoryformatversion 0
git config --unset extensions.partialClone || true
git config regild.files '*.json'
try regild compare --base HEAD~1
git diff HEAD~1 >../diff
regild compare --base HEAD~1
