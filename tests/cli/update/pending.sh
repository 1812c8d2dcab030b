# SPDX-License-Identifier: Apache-2.0
# An update that was interrupted is said by every command, and finished or taken back as a whole.
. "$REGILD_TOP/tests/faults/serve.sh"
new_repository
serve
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5
done
commit
staging_manifest staged
try regild update --continue
try regild update --abort
# Killed at the rename of the second golden.
interrupt() {
	for n in {10..300}; do
		faulty "kill:$n" /dev/null /dev/null update staged || true
		[ "$(git status --short $ROOT | grep -c '^ M')" != 1 ] || return 0
		faulty none /dev/null /dev/null update --abort || true
	done
}
interrupt
git status --short $ROOT | grep golden_values_dev
try regild update staged
try regild update --dry-run -q staged
try regild undo
try regild reset --yes
regild compare 2>&1 >/dev/null | grep warning
echo '# by every command, with -q too'
for command in 'undo --list' 'reset -n' compare check 'executorch verify x.bpte' 'executorch unpack x.bpte'; do
	echo "$command: $(regild $command -q 2>&1 | grep -c 'was interrupted')"
done
echo '# work since the interruption is not lost'
cp $ROOT/gpt/b/golden_values_dev.json saved
echo >>$ROOT/gpt/b/golden_values_dev.json
try regild update --continue
try regild update --abort
cp saved $ROOT/gpt/b/golden_values_dev.json
echo '# taken back'
regild update --abort
git status --short $ROOT
echo '# finished'
interrupt
regild update --continue
git status --short $ROOT
regild update staged

echo '# a reset is finished in the index too'
git add $ROOT
for n in {10..300}; do
	faulty "kill:$n" /dev/null /dev/null reset --yes || true
	[ "$(git status --short $ROOT | grep -c '^MM')" != 1 ] || break
	faulty none /dev/null /dev/null update --abort || true
done
git status --short -uno $ROOT
regild update --continue
git status --short $ROOT

echo '# both stand alone'
try regild update --continue --abort
try regild update --continue --dry-run
try regild update staged --abort
for extra in --stage --interactive '--run 5' '--only gpt' '--except gpt' '--metric m' '--allow dirty'; do
	try regild update --abort $extra
done
