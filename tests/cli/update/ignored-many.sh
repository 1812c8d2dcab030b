# SPDX-License-Identifier: Apache-2.0
# Of many new goldens that git ignores some are named and the rest counted; -v names all.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1
echo '*_gb200.json' >.gitignore
git add .
git commit -q -m goldens
for i in {101..113}; do
	golden ../staged/files/gpt/$i/golden_values_gb200.json 'lm loss' 2
done
staging_manifest ../staged
regild update ../staged >/dev/null
regild undo -q
regild update -v ../staged 2>&1 >/dev/null | grep -c 'git ignores it'
