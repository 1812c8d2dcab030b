# SPDX-License-Identifier: Apache-2.0
# A document that is not what report wants, or lies, is refused, and nothing in it becomes markup.
golden old.json m 1 2 3
golden new.json m 2 3 4
regild compare -q --old old.json --new new.json --json good.json >/dev/null
try regild report
try regild report missing.json
try regild report good.json other.json
try regild report old.json
echo '{"schema": "regild-audit", "version": 1}' >audit
try regild report audit
sed 's/"version": 1/"version": 2/' good.json >newer
try regild report newer
sed 's/"story"/"history"/' good.json >older
try regild report older
head -c 300 good.json >cut
try regild report cut
echo '# the page: rows and curves that are not there'
change() {
	sed "$1" good.json >changed
	! cmp -s good.json changed
	try regild report changed --html -
}
change 's/{"row": 0/{"row": 1/'
change 's/{"row": 0/{"row": -1/'
change 's/"columns": \["file"/"columns": ["files"/'
change 's/"steps": \[1, 2, 3\]/"steps": [1, 2]/'
change 's/"values": \[1.0, 2.0, 3.0\]/"values": "many"/'
change 's/"curves"/"curve"/'
echo '# markup and addresses out of it'
sed 's|"story": {|&"formats": "<script>", "distribution": "<script>",|
	s|"range": "== 0"|"range": "`<script>`"|
	s|"run": null|"run": "7", "run_url": "javascript:alert(1)", "commit": "1"|
	s|"metric": "m", "metrics"|"metric": "<script>", "metrics"|' good.json >markup
regild report markup | grep -e 'script' -e 'run `7`'
regild report markup --html - | grep -o '<script[^>]*>'
regild report markup --html - | grep 'run <code>7'
echo '# … and what is there twice'
sed 's|"story": {|&"formats": "<script>", "formats": "<script>", "distribution": "<script>", "distribution": "<script>",|' \
	good.json >markup
regild report markup --html - | grep -o '<script[^>]*>'
echo '# what formats say'
formats() {
	sed "s|\"story\": {|\"formats\": $1, &|" good.json >changed
	try regild report changed --html page.html "${@:2}"
}
formats '"<script>"'
formats '{"cases": []}'
formats '{"opdiff": [7]}'
figure='[{"figure": "<script>"}]'
figures="\"new_to_old_figures\": $figure, \"time_figures\": $figure, \"error_figures\": $figure, \"any_targets\": 1"
formats "{\"cases\": {\"failures\": \"<script>\"}, \"opdiff\": [{\"title\": \"<script>\", \"figure\": \"<script>\", $figures, $figures, \"bucket_heads\": [{\"name\": \"<script>\"}], \"columns\": [{\"times\": {\"n\": 3, \"drawn\": [1, \"x\", 2, 2, 2]}, \"max_abs\": 7}, 8, {\"max_abs\": {\"n\": 2, \"drawn\": 1}}]}]}" \
	--markdown summary.md
grep -o '<script[^>]*>' page.html
grep 'script' summary.md
rm changed older markup newer cut audit
