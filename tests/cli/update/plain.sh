# SPDX-License-Identifier: Apache-2.0
# Updated, unchanged and new goldens; bytes and modes; then a second run finds nothing to do.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 3 4
chmod 755 $ROOT/gpt/a/golden_values_dev.json
commit
ln $ROOT/gpt/a/golden_values_dev.json linked
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 1 2
golden staged/files/gpt/n/golden_values_dev.json 'lm loss' 5
golden staged/files/gpt/c/golden_values_dev.json 'lm loss' 3 5
staging_manifest staged
echo '# a dry run'
regild update --dry-run staged
git status --short
echo '# update'
regild update staged
git status --short -uall
for test in a b c n; do
	cmp staged/files/gpt/$test/golden_values_dev.json $ROOT/gpt/$test/golden_values_dev.json
done
stat -c %a $ROOT/gpt/a/golden_values_dev.json $ROOT/gpt/n/golden_values_dev.json
echo '# what another hard link names is as it was'
git diff --no-index --stat linked $ROOT/gpt/a/golden_values_dev.json || true
echo '# again'
regild update staged
echo '# texts, and other bytes of the same values'
echo '{"words": {"generated_text": "a cat"}}' >$ROOT/gpt/n/golden_values_dev.json
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1.0 2
golden $ROOT/gpt/a/golden_values_dev.json a 1 -- b 1 -- c 1 -- d 1
commit
echo '{"words": {"generated_text": "a cow"}}' >staged/files/gpt/n/golden_values_dev.json
golden staged/files/gpt/c/golden_values_dev.json 'lm loss' 3 6
golden staged/files/gpt/a/golden_values_dev.json a 2 -- b 9 -- c 4 -- d 3
staging_manifest staged
regild update -n -v staged --except gpt/c
regild update -n staged --only gpt/a
try regild update -i staged
