# SPDX-License-Identifier: Apache-2.0
# A partial clone lacks old baselines: git fetches all that are missing at once. Where it may not or cannot, they are named
# with what fetches them. A configuration has nothing run beside that.
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
GIT_NO_LAZY_FETCH=1 try regild compare --base HEAD~1
git config remote.origin.url "file://$SCRATCH/nowhere"
try regild compare --base HEAD~1
git config remote.origin.url "ext::touch $SCRATCH/ran"
try regild compare -q --base HEAD~1 2>&1 | grep -o 'transport.*allowed' | uniq
git config remote.origin.url "file://$SCRATCH/work/origin"
mkdir ../hooks
for hook in reference-transaction post-index-change post-checkout; do
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$SCRATCH" >../hooks/$hook
	chmod +x ../hooks/$hook
done
git config core.hooksPath "$SCRATCH/work/hooks"
git config core.fsmonitor "touch $SCRATCH/ran"
git config core.alternateRefsCommand "touch $SCRATCH/ran"
export GIT_TRACE=$SCRATCH/trace
regild compare --base HEAD~1
unset GIT_TRACE
[ ! -e "$SCRATCH/ran" ]
echo "$(grep -c 'built-in: git fetch' "$SCRATCH/trace") fetch"
git config --unset core.fsmonitor
git config --unset core.hooksPath
git diff HEAD~1 >../diff
echo '# each version of an audit, and the baseline of a check'
git clone -q --filter=blob:none "file://$SCRATCH/work/origin" ../second
cd ../second
git config core.repositoryformatversion 0
git config --unset extensions.partialClone || true
git config regild.files '*.json'
export GIT_TRACE=$SCRATCH/trace2
regild audit -q --history HEAD --csv -
unset GIT_TRACE
echo "$(grep -c 'built-in: git fetch' "$SCRATCH/trace2") fetch"
