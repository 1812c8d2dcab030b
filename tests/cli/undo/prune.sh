# SPDX-License-Identifier: Apache-2.0
# The last 20 are kept, and killed at any point of forgetting the one before them, undo still works.
. "$REGILD_TOP/tests/faults/serve.sh"
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
commit
for i in {1..21}; do
	golden "../staged/files/gpt/a/golden_values_dev.json" 'lm loss' "$i"
	staging_manifest ../staged "$i"
	[ "$i" = 21 ] || regild update -q ../staged >/dev/null
done
cp -r .git/regild ../kept
cp $ROOT/gpt/a/golden_values_dev.json ../golden
serve
for n in {10..300}; do
	rm -rf .git/regild
	cp -r ../kept .git/regild
	cp ../golden $ROOT/gpt/a/golden_values_dev.json
	status=0
	faulty "kill:$n" /dev/null /dev/null update ../staged || status=$?
	if [ -e .git/regild/pending ]; then faulty none /dev/null /dev/null update --continue; fi
	# What was killed in front of all this can be done yet.
	faulty none /dev/null /dev/null update -q ../staged
	faulty none list /dev/null undo --list || echo "killed at $n"
	[ "$(wc -l <list)" = 20 ] || [ "$(wc -l <list)" = 21 ] || wc -l <list
	faulty none /dev/null /dev/null undo || echo "killed at $n"
	cmp ../golden $ROOT/gpt/a/golden_values_dev.json
	[ "$status" = 137 ] || break
done
echo "exit code $status"
echo '# a damaged one can be removed'
echo '{' >.git/regild/updates/21/record.json
regild undo --list 2>&1 | sed "s|$PWD/||g"
