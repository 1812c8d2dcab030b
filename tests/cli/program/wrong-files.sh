# SPDX-License-Identifier: Apache-2.0
# Who gives a folder for a golden, a name with a slip in it, YAML for a setting, another document for a noise model or one dash
# for two is told what it is, before anything is printed or written.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 3
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 3
echo '# blame'
try regild blame $ROOT/gpt
try regild blame $ROOT/gpt/a/golden_values_de.json
try regild blame $ROOT/gpt/b/golden_values_dev.json
try regild blame .
try regild blame ''
echo '# check'
try regild check $ROOT
try regild check
echo '# compare'
try regild compare -- TYPO
try regild compare --csv rows.csv -- $ROOT/gpt/a/golden_values_dev.json $ROOT/gpt/typo.json
try regild compare --staged -- TYPO
try regild compare HEAD HEAD -- TYPO
try regild compare -q -- $ROOT/gpt/a/golden_values_dev.json >/dev/null
echo '# .regild'
for text in 'root: gpt' $'# goldens\n\n---\nregild:\n  root: gpt' $'\n  # goldens\n  root: gpt' $'\xef\xbb\xbfroot: gpt' '%YAML 1.2' '- root: gpt' '"root": gpt' '{"root": "gpt"}'; do
	echo "$text" >.regild
	try regild compare
done
echo 'root = gpt' >.regild
try regild compare -q >/dev/null
rm .regild
echo '# --noise'
regild compare -q --json rows.json >/dev/null
try regild compare --noise rows.json
try regild compare --noise $ROOT/gpt/a/golden_values_dev.json
printf 'run,file\n' >runs.csv
try regild compare --noise runs.csv
: >empty
try regild compare --noise empty
printf '{"schema": "regild-model", "version": 1, "group_by": "all", "runs": [], "series": []}' >noise.json
try regild compare --noise noise.json
try regild compare --noise $ROOT
try regild report runs.csv
echo '# templates'
printf 'a\n{{#lines}}\n' >bad.md
try regild compare --markdown - --template bad.md --csv rows.csv
try regild compare --html page.html --html-template bad.md --markdown summary.md
try regild report rows.json --markdown summary.md --html page.html --html-template bad.md
try regild audit --from $ROOT $ROOT --csv rows.csv --markdown summary.md --template bad.md
try regild audit --from $ROOT $ROOT --markdown summary.md --html page.html --html-template bad.md
mkdir logs-a-77-x && cp $ROOT/gpt/b/golden_values_dev.json logs-a-77-x
try regild refresh --from logs-a-77-x --markdown summary.md --template bad.md
git diff --stat
git config regild.template "$PWD/bad.md"
try regild compare --markdown summary.md
git config --unset regild.template
ls
echo '# one dash for two'
try regild download -all
try regild download --run 5 -only-failing
try regild compare -html page.html
try regild compare -top=3
try regild audit -last 5
try regild compare --old -all
try regild compare -qv -- -all
