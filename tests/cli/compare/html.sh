# SPDX-License-Identifier: Apache-2.0
# The page: rows, curves, hostile names; with opdiff results and backend reports; its template.
needs_executorch
new_repository
golden "$ROOT/gpt/<b>\"x'&/golden_values.json" "lm loss" 10 9 8 -- '<script>alert(1)</script>' 1 2 -- iteration-time 1 1
commit
golden "$ROOT/gpt/<b>\"x'&/golden_values.json" "lm loss" 10 9.5 8 -- '<script>alert(1)</script>' 1 NaN -- iteration-time 1 1
regild compare -q --html page.html --columns file,metric,max_ulps >/dev/null
# The style and the script, which are the same on every page, are left out.
sed -e '/^<style>/,/<\/style>$/d' -e '/^<script>/,/<\/script>$/d' -e '/^<script type/d' -e "s/sha256-[^']*'/sha256-…'/g" page.html
regild compare -q --html - --columns file,metric,max_ulps | sed 's/--html -/--html page.html/' >again.html
cmp page.html again.html
echo '# nothing is fetched, nothing but its own scripts is run, and no name is markup'
grep -ioE '<script[^>]*>' page.html
! sed '/^<script>/,/<\/script>$/d' page.html |
	grep -niE '<link|<img|src=|url\(|@import|http://|https://|[^-]style=|\son[a-z]+='
echo '# the policy is of the style and the scripts that the page has'
for element in style:1 script:1 script:2; do
	hash=$(awk -v tag="${element%:*}" -v wanted="${element#*:}" '
		$0 ~ "^<" tag ">" { inside = ++count == wanted; sub("^<" tag ">", "") }
		inside && sub("</" tag ">$", "") { printf("%s", $0); exit }
		inside { print }' page.html | openssl dgst -sha256 -binary | base64)
	grep -c "${element%:*}-src [^;]*'sha256-$hash'" page.html
done
echo '# on paper nothing scrolls, so no column is cut off'
sed -n '/^@media print/,/^}/p' page.html | grep '^.\.wide { overflow'
grep -c '^@media screen and (prefers-color-scheme: dark)' page.html
echo '# only one to stdout, and a template'
try regild compare -q --html - --csv -
printf '<p>{{old_side}}: {{#curves}}{{metric}} {{old_range}}{{/curves}}{{#table}} {{more}} more{{/table}}\n' >t.html
regild compare -q --html - --html-template t.html
echo '<p>{{#more}}' >t.html
try regild compare -q --html - --html-template t.html
git config regild.htmltemplate t2.html
echo '{{total}} rows' >t2.html
regild compare -q --html -
echo '# many rows, and a long series'
for i in {1..510}; do printf -- '-- m%d %d ' "$i" "$i"; done >metrics
golden old.json long {1..3000} $(cat metrics)
golden new.json long {2..3001} $(cat metrics)
git config --unset regild.htmltemplate
regild compare -q --html long.html --old old.json --new new.json >/dev/null
grep -c '^<tr id="row-[^"]*" class="row' long.html
echo '# a long name wraps, and does not push the figures out of the window'
grep -e '^li, .wide code,' -e '^.wide .says' long.html
grep '[0-9] more' long.html
grep -o 'class="line[01]" points="[^"]*' long.html | while read -r class points; do echo "$class" $(echo "$points" | wc -w); done
echo '# an outlier does not press the others flat'
golden old.json m 1000 {2..30}
golden new.json m 1001 {3..31}
regild compare -q --html - --old old.json --new new.json | grep -E '[0-9] beyond|<polyline'
echo '# no table without a row'
regild compare -q --html - --old old.json --new new.json --filter metric=none | sed '/<h2>Provenance/q' | grep -c -e '<table' -e '<svg' || true
echo '# opdiff'
. "$REGILD_TOP/tests/formats/opdiff.sh"
{
	opdiff_meta
	opdiff_item add 2.0 ort OK 1.0 0 tflite OK 4.0 1e-7
	opdiff_item mul 2.0 ort OK 2.0 1e-5 tflite EXPORT_FAIL null -
} >old.jsonl
{
	opdiff_meta
	opdiff_item add 2.0 ort OK 0.5 1e-6 tflite OK 4.0 1e-7
	opdiff_item mul 2.0 ort ERROR null - tflite OK 1.0 0.05
} >new.jsonl
regild compare -q --html - --old old.jsonl --new new.jsonl | sed -n '/^<h2>opdiff/,/^<\/section>/p'
echo '# backend reports'
printf 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail\na,a,,<f>,,Pass,\nb,b,,<f>,,Fail,<d>\n' >old.csv
printf 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail\na,a,,<f>,,Fail,<d>\nb,b,,<f>,,Pass,\n' >new.csv
regild compare -q --html - --old old.csv --new new.csv | sed -n '/^<h2>Backend/,/^<\/section>/p'
# exit: 0
