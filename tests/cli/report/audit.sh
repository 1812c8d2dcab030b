# SPDX-License-Identifier: Apache-2.0
# An audit's summary and page rendered again from its JSON alone are the same bytes as the audit's own.
same() {
	(cd / && regild report "$OLDPWD/$1.json" --markdown "$OLDPWD/$1.2.md" --html "$OLDPWD/$1.2.html" "${@:2}")
	cmp "$1.md" "$1.2.md" && cmp "$1.html" "$1.2.html" && echo "$1: the same"
}
# A break, a bad run, names that are markup and not UTF-8, values that are not finite.
hostile=$(printf '<b>"x|`@all\033[31m\342\200\256\377')
for run in {10..27}; do
	noise=$((run * 5 % 18 + 10)) level=10 early=3
	[ $run -lt 20 ] || level=12
	[ $run != 13 ] || { level=90 early=9; }
	golden "runs/$run/gpt/$hostile/golden_values_dev.json" "lm loss" $level.$noise 9 -- \
		'<script>`@a\n' $early.$noise -- zeros 1 2
	golden runs/$run/gpt/b/golden_values_dev.json "lm loss" $level.$noise -- iteration-time 9 $early.$noise -- zeros 1 2
done
golden runs/22/gpt/b/golden_values_dev.json "lm loss" 1e300 -- iteration-time 9 -1e308 -- nan NaN
regild audit -q --markdown all.md --json all.json --html all.html --from runs/*
same all
grep -c -e 'class="plot"' -e 'class="sizes"' -e 'class="trend"' all.2.html
checked_json <all.json >checked

# Groups, cases, few runs and what cannot be read; other lengths; templates of the user's own.
printf 'Test ID,Subtest,Flow,Result,Result Detail\nadd,0,<b>,Pass,\nmul,0,qnn,Fail,`@all`\n' >runs/11/report.csv
printf 'Test ID,Subtest,Flow,Result,Result Detail\nadd,0,<b>,Fail,<b>\nmul,0,qnn,Fail,`@all`\n' >runs/12/report.csv
echo '{' >runs/12/gpt/b/golden_values_dev.json
try regild audit -q --markdown few.md --json few.json --html few.html --by commit --confidence-multiplier 2 \
	--from runs/1[0-3]
same few
printf '{{runs}} {{#groups}}{{name}} {{/groups}}\n' >t.md
printf '{{#rows}}{{{trend}}}{{/rows}}\n' >t.html
regild audit -q --markdown own.md --json own.json --html own.html --template t.md --html-template t.html --from runs/2*
same own --template "$PWD/t.md" --html-template "$PWD/t.html"
cat own.2.md
regild report all.json --max-chars 3000 | wc -c
regild report all.json --top 1 | grep -c ' more'
git init -q set
git -C set config regild.template "$PWD/t.md"
regild -C set report "$PWD/all.json" | cmp - all.md

echo '# what does not fit together is refused, and nothing in it becomes markup'
change() {
	sed "$1" all.json >changed
	! cmp -s all.json changed
	try regild report changed --html changed.html
}
change 's/"findings"/"found"/'
change 's/"findings": \[/"findings": 7, "told": [/'
markup='"figure": "<script>", "strips": "<script>", "trend": "<script>", "pictures": 1, "style_hash": "<script>"'
sed "s|\"page\": {|&$markup, \"figures\": [{$markup}], |; s|{\"number\"|{$markup, \"number\"|g" all.json >markup
regild report markup --html - | grep -o '<script[^>]*>'
regild report markup --html - | grep -c 'img-src' || true
sed 's/"\(trend\|label\)": "[^"]*"/"\1": "\\"><script>"/g; s/"\(odd\|values\|far\|with\|breaks\)": \[\([0-9]\)/"\1": ["\\"><script>", {}, \2/g
	s/"limit": [0-9.e-]*/"limit": "\\"><script>"/g; s/"kind": "band"/"kind": "\\"><script>"/' all.json >markup
cmp -s all.json markup || regild report markup --html - | grep -o '<script[^>]*>'
rm markup changed
