# SPDX-License-Identifier: Apache-2.0
# An interrupted update whose record is damaged, or a newer regild's: how to go on is said.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
git add .
git commit -q -m goldens
golden ../staged/files/gpt/a/golden_values_dev.json 'lm loss' 2
staging_manifest ../staged
regild update -q ../staged >/dev/null
mv .git/regild/updates/1 .git/regild/pending
sed -i 's/"version":.*1,/"version": 2,/' .git/regild/pending/record.json
regild check
regild update --continue || echo "exit $?"
regild update --abort || echo "exit $?"
rm -r .git/regild/pending
regild check
git status --short
