# SPDX-License-Identifier: Apache-2.0
# undo takes back what an update has staged, where the index has been left alone since.
. "$REGILD_TOP/tests/faults/serve.sh"
new_repository
for test in a b c; do golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8; done
commit
for test in a b c new; do golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5; done
staging_manifest staged 99
echo staged >>.git/info/exclude
regild update -q --stage staged
git status --short
echo '# files and index'
regild undo
git status --short
echo '# and again, in both'
regild undo 2
git status --short
regild undo -q 3
git status --short
echo '# an update over a staged one: the index is as after the first'
regild update -q --stage staged --only gpt/a
git ls-files -s $ROOT/gpt/a >before
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 7
staging_manifest staged 100
regild update -q --stage staged --only gpt/a
regild undo -q
git ls-files -s $ROOT/gpt/a | diff before -
regild undo -q
git status --short -uno
echo '# what somebody has staged since stays theirs'
regild update -q --stage staged
golden saved 'lm loss' 5
git update-index --cacheinfo "100644,$(git hash-object -w saved),$ROOT/gpt/b/golden_values_dev.json"
git restore --staged $ROOT/gpt/c
git ls-files -s $ROOT/gpt/[bc] >before
regild undo -q
git ls-files -s $ROOT/gpt/[bc] | diff before -
git status --short -uno
git reset -q --hard
echo '# an index that is locked: the files are back, and it is said'
regild update -q --stage staged
touch .git/index.lock
try regild undo -q
rm .git/index.lock
git diff --stat HEAD
git status --short -uno
git reset -q --hard
echo '# finished after an interruption'
regild update -q --stage staged
serve
for n in {10..300}; do
	faulty "kill:$n" /dev/null /dev/null undo || true
	[ "$(git diff --name-only HEAD | wc -l)" = 4 ] || break
	faulty none /dev/null /dev/null update --abort || true
done
git status --short -uno
regild update --continue
git status --short -uno
