# SPDX-License-Identifier: Apache-2.0
# A checkout and a staging folder hold what [source] sections name, too: each golden for its own path.
new_repository
cat >.regild <<'CONFIG'
[regild]
	root = g
	files = golden_values*.json
[jobs]
	target = {stage}/{test}/{file}
[source "tables"]
	artifact = tables-*
	members = **/*.csv
	target = deep/tables/of/{file}
[source "losses"]
	log = train ({test})
	match = step: *{step} loss: *{value}
	target = losses/{test}.txt
CONFIG
fill() {
	mkdir -p $1/g/gpt/a $1/g/deep/tables/of $1/g/losses
	golden $1/g/gpt/a/golden_values_dev.json 'lm loss' $2
	printf 'name,v\nx,%s\n' $2 >$1/g/deep/tables/of/t.csv
	printf '1 %s.5\n' $2 >$1/g/losses/llama.txt
}
fill . 1
commit
fill ../other 2
golden ../other/g/golden_values_odd.json 'lm loss' 2
echo '== a checkout'
try regild download --from ../other -o ../staged
(cd ../staged/files && find . -type f | LC_ALL=C sort)
grep -o '"target": "[^"]*"' ../staged/manifest.json
regild download --from ../other --explain 2>/dev/null
rm ../other/g/golden_values_odd.json
regild refresh --from ../other | sed 1,4d
git diff --stat | cat
diff -r g ../other/g
echo '== a staging folder'
git checkout -q g
try regild -q download --from ../staged -o ../again
grep -o '"target": "[^"]*"' ../again/manifest.json
diff -r ../staged/files ../again/files
regild -q refresh --from ../staged
diff -r g ../other/g
echo '== both sides of a comparison'
regild compare -q --old . --new ../other --csv -
