# SPDX-License-Identifier: Apache-2.0
# What regild.files names is compared, whatever is in it: rust-lang's expected output of a compiler, a
# screenshot as Playwright keeps it, a table. What no reader takes is opaque, equal or different.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.txt *.csv *.png\n' >.regild
# png WIDTH HEIGHT TEXT: in octal; nothing but the header is one.
png() {
	printf "\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\$1\\0\\0\\0\\$2\\b\\2\\0\\0\\0$3" >g/shot.png
}
gate() {
	local status=0
	regild compare "$@" >/dev/null || status=$?
	echo "exit code $status"
}
mkdir g
seq -f 'line x%g' 3 >g/error.txt
printf 'name,v\nx,1\n' >g/table.csv
printf '1 8.25\n2 8.125\n' >g/losses.txt
png 2 3 old
echo '{"prompt": "a"}' >g/prompts.jsonl
commit
printf 'line x1\nred \033[31m `````` <b>&\tx\nline x3' >g/error.txt
printf 'name,v\nx,2\n' >g/table.csv
png 4 3 new
echo '{' >g/prompts.jsonl
echo '== three of three'
regild compare --csv rows.csv --json all.json --markdown short.md --html page.html
cat rows.csv
echo '== -v'
regild compare -q -v | sed -n '/error.txt: /,/^$/p'
echo '== JSON'
grep -o '"format": [^,]*\|"kind": "text"' all.json
sed -n '/"formats"/,/^ }/p' all.json
echo '== markdown'
sed '/^### /,$d' short.md
grep 'Opaque' short.md
echo '== HTML'
grep 'Content-Security' page.html | sed "s/sha256-[^']*'/sha256-…'/g"
sed -n '/Files compared as a whole/,/<.section>/p' page.html
echo '== the same out of the JSON'
regild report all.json --markdown again.md --html again.html
cmp short.md again.md
cmp page.html again.html
echo '== without pictures, no image comes in'
regild compare -q --html page.html --file g/error.txt | head -n 3
grep 'Content-Security' page.html | sed "s/sha256-[^']*'/sha256-…'/g"
echo '== gates'
gate -q --fail-above 1.5 --fail-on lost,removed,unreadable
gate -q --fail-on changed
gate -v --fail-on changed --filter 'metric=(file)'
git config regild.files '*.png'
printf '[metric "(file)"]\n\tkind = exact\n' >>.regild
gate -q
git checkout -q .regild
git config --unset regild.files
echo '== nothing is wrong with it in itself'
regild check
echo '== it was readable'
echo 'killed' >g/losses.txt
regild compare --file g/losses.txt -v
gate -q --file g/losses.txt --fail-on nonfinite
gate -q --file g/losses.txt --fail-above 1
echo '== it is readable now'
git commit -q -a -m killed
printf '1 8.25\n' >g/losses.txt
gate --fail-on lost --fail-above 1
gate -q --fail-on lost --fail-above 1 --allow no-figure
echo '== an empty file, and a large one'
commit
: >g/error.txt
head -c 1048577 /dev/zero | tr '\0' 'a' >g/table.csv
mv g/table.csv g/large.txt
git checkout -q g/table.csv
commit
echo end >>g/large.txt
echo start >g/error.txt
regild compare -q -v
echo '== new and removed'
commit
png 2 3 one
mv g/shot.png g/one.png
git checkout -q g/shot.png
git rm -q g/error.txt
printf 'name,v\nx,1\n' >g/more.csv
echo added >g/added.txt
regild compare -q -v --json all.json --markdown short.md --html page.html
sed -n '/"formats"/,/^ }/p' all.json
sed '/^### /,$d' short.md
grep '<figure\|not a PNG' page.html
regild report all.json --markdown again.md --html again.html
cmp short.md again.md
cmp page.html again.html
echo '== two folders: who says what a golden is, says what is none'
mkdir ../old ../new
echo '{"a": 1}' | tee ../old/other.json >../new/other.json
try regild compare --old ../old --new ../new
try regild audit --from ../old ../new
echo '{' >../new/prompts.jsonl
echo 'x' | tee ../old/error.txt >../new/error.txt
regild compare --old ../old --new ../new --csv -
echo '== many are bounded'
mkdir g/many
seq -f x%g 30 | tee $(seq -f g/many/%02g.txt 60) >/dev/null
commit
seq -f 'line x%g' 2 3 90 | tee $(seq -f g/many/%02g.txt 60) >/dev/null
regild compare -q --markdown short.md --json all.json >/dev/null
[ "$(wc -c <short.md)" -le 12000 ]
grep -c '^<details><summary><code>g/many' short.md
grep '^[0-9]* more\( lines\)*\.$' short.md | uniq -c
regild report all.json --markdown again.md
cmp short.md again.md
