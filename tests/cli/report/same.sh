# SPDX-License-Identifier: Apache-2.0
# A summary and a page rendered again from the JSON alone are the same bytes as the comparison's own.
same() {
	(cd / && regild -C "$PWD" report "$OLDPWD/$1.json" --markdown "$OLDPWD/$1.2.md" --html "$OLDPWD/$1.2.html" "${@:2}")
	cmp "$1.md" "$1.2.md" && cmp "$1.html" "$1.2.html" && echo "$1: the same"
}
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" demo
cd demo
git init -q -b main
git remote add origin https://github.com/NVIDIA/Megatron-LM.git
commit
try regild refresh -q --run 22651183945 --only-failing --markdown ../demo.md --json ../demo.json \
	--html ../demo.html >/dev/null
cd ..
same demo

# Names that are markup, mentions, paths that are not UTF-8, and values that are not finite.
mkdir hostile
cd hostile
new_repository
hostile=$(printf '<script>"|`@all\033[31m\342\200\256\377')
golden "$ROOT/gpt/$hostile/golden_values_dev.json" 'lm loss' 10 9 -- '<script>|`@a\n\"b\"\u202e' 1 2 -- n 1 1
golden $ROOT/gpt/gone/golden_values_dev.json 'lm loss' 10 9
golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10 9 -- only 1
commit
golden "$ROOT/gpt/$hostile/golden_values_dev.json" 'lm loss' 11 9 -- '<script>|`@a\n\"b\"\u202e' 1e300 2 -- n NaN 1
golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10
rm -r $ROOT/gpt/gone
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' 10
regild compare -q --markdown ../hostile.md --json ../hostile.json --html ../hostile.html \
	--columns file,metric,identical,max_ulps,stage --sort metric >/dev/null
cd ..
same hostile

# Nothing changed; another length; templates of the user's own.
git -C hostile checkout -q .
(cd hostile && regild compare -q --markdown ../none.md --json ../none.json --html ../none.html \
	--file $ROOT/gpt/lost/golden_values_dev.json >/dev/null)
same none
(cd demo && regild compare -q --markdown ../long.md --json ../long.json --html ../long.html --max-chars 2000 >/dev/null)
same long --max-chars 2000
printf '{{#review}}{{file}} {{metric}} {{avg_rel_diff|shift}}\n{{/review}}' >t.md
printf '{{{formats}}}{{#curves}}{{file}}{{{figure}}}{{/curves}}' >t.html
(cd demo && regild compare -q --markdown ../own.md --json ../own.json --html ../own.html --template ../t.md \
	--html-template ../t.html >/dev/null)
same own --template "$PWD/t.md" --html-template "$PWD/t.html"
wc -l <own.md

# What formats say beside rows: backend tests, and opdiff results with more backends than a figure has lines.
. "$REGILD_TOP/tests/formats/opdiff.sh"
mkdir before after
printf '%s\n' 'Test ID,Subtest,Flow,Result,Result Detail' 'add,0,<script>|,Pass,' 'mul,0,qnn,Fail,`@all`' >before/report.csv
printf '%s\n' 'Test ID,Subtest,Flow,Result,Result Detail' 'add,0,<script>|,Fail,<b>' 'mul,0,qnn,Pass,' >after/report.csv
for i in {1..45}; do
	opdiff_item "operator-$i" 1 ort OK "$((i % 7)).5" 1e-6 '<b>' OK 0.3 NAN_IN_OUTPUT c OK 1 - d OK 1 - e OK 2 0
done >items
{ opdiff_meta && cat items; } | tee before/one.jsonl >before/two.jsonl
{ opdiff_meta && sed 's/OK/ERROR/; s/0\.3/0.2/' items; } | tee after/one.jsonl >after/two.jsonl
regild compare -q --old before --new after --markdown formats.md --json formats.json --html formats.html --max-chars 60000 >/dev/null || true
same formats --max-chars 60000
grep -c -e '^### Backend tests' -e '^### opdiff' formats.2.md
grep -c -e 'class="distribution"' formats.2.html
regild compare -q --old before --new after --markdown cut.md --json cut.json --html cut.html >/dev/null || true
same cut
grep -e '^| .* | Fail: ' -e '^[0-9]* more files' cut.md
rm -r before after
