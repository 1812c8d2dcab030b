# SPDX-License-Identifier: Apache-2.0
# A golden that is a symbolic link, or in a folder that is one, is held back by name, and the others go in. Nothing is written
# through the link, and --only and --except can leave it out.
new_repository
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1 1; done
golden elsewhere/x.json 'lm loss' 1 1
golden elsewhere/d/golden_values_dev.json 'lm loss' 1 1
ln -sf ../../../../../elsewhere/x.json $ROOT/gpt/b/golden_values_dev.json
ln -s ../../../../elsewhere/d $ROOT/gpt/d
mkdir $ROOT/gpt/e
ln -s nowhere $ROOT/gpt/e/golden_values_dev.json
commit
for test in a b c d e; do golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 2 2; done
staging_manifest ../staged
call() {
	echo "== $*"
	try regild "$@" 2>&1
	git status --short
	git checkout -q .
}
call update --dry-run ../staged
call update ../staged
call update --except gpt/b --except gpt/d --except gpt/e ../staged
call update --only gpt/a ../staged
call update --allow link ../staged | sed 's/ is not one of.*//'
cat elsewhere/x.json elsewhere/d/golden_values_dev.json
[ ! -e $ROOT/gpt/e/nowhere ]
