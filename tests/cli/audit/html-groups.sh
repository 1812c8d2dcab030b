# SPDX-License-Identifier: Apache-2.0
# The page of runs in groups: a map for each, its metrics' own figures, and each row with its group. Runs are
# named with their day, and a table's series by its records.
for run in 1 2 3 4 5 6 7 8 9; do
	golden runs/$run/files/gpt/a/golden_values_dev.json 'lm loss' 10.$((run * 5 % 9)) -- zeros 1
	printf 'name,time\na,1\nb,20%s\n' $((run * 5 % 9)) >runs/$run/files/gpt/a/x.csv
	staging_manifest runs/$run "$run"
	sed -i "s|\"run\": {|\"run\": {\"branch\": \"b<$((run % 2))>\", \"created_at\": \"2026-03-0${run}T00:00:00Z\", |" \
		runs/$run/manifest.json
done
git config --global regild.files '*.json *.csv'
regild audit -q --by branch --html page.html --from runs/*
echo '# maps'
sed -n '/class="map"/,/<.table>/p' page.html
echo '# figures'
grep -e '<section data-with' -e '<h3 id' -e '<figure ' -e 'class="n">mean' -e '^<tr><td>[0-9]*, ' -e '^<tr data-of' page.html
echo '# series'
grep '^<tr id="series' page.html
echo '# more runs than a map shows'
rm -r runs
for run in {1001..1103}; do golden runs/$run/a.json m 1.$((run * 7 % 9)); done
regild audit -q --html page.html --from runs/*
grep -e 'The newest' page.html || true
grep -oE 'href="#run-[0-9]+' page.html | sed -n '1p;$p'
sed -n '/class="runs"/,/<.table>/p' page.html | grep -c '^<tr><td>'
