# SPDX-License-Identifier: Apache-2.0
# Indexes that libgit2 cannot read, split or sparse: git makes a full copy, by which everything works as with any other, and git
# stages. No hook and no monitor of the configuration is run for that.
mkdir repository hooks && cd repository
new_repository
for test in a b; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1; done
golden $ROOT/moe/out/golden_values_dev.json 'lm loss' 1
commit
printf '#!/bin/sh\ntouch "%s/ran"\n' "$SCRATCH" >../hooks/post-index-change
chmod +x ../hooks/post-index-change
for test in a b; do golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 2; done
staging_manifest ../staged
all() {
	git config core.hooksPath "$SCRATCH/work/hooks"
	git config core.fsmonitor "touch $SCRATCH/ran"
	try regild compare -q --csv -
	try regild update -q --stage ../staged
	regild compare -q --staged --csv -
	try regild check --changed
	try regild undo
	try regild update -q --stage ../staged
	try regild reset -q --yes
	[ ! -e "$SCRATCH/ran" ]
	git config --unset core.hooksPath
	git config --unset core.fsmonitor
	git status --short
}
echo '# split'
git update-index --split-index
golden new.json m 1
git add new.json
all
ls .git | grep -c sharedindex
git reset -q && rm new.json
git update-index --no-split-index
echo '# sparse'
git sparse-checkout set --cone --sparse-index $ROOT/gpt 2>/dev/null || skip "needs a git with sparse indexes"
git ls-files --sparse | grep '/$'
all
echo '# without git'
git sparse-checkout disable
mkdir ../empty
git update-index --split-index
PATH=$REGILD_BUILD:$SCRATCH/work/empty try regild compare 2>&1
