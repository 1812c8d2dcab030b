# SPDX-License-Identifier: Apache-2.0
# The page: answers first, a map in which a bad run is a column, runs in time with a break, its place, the
# recommended tolerance and the bad run beyond the frame, strips by golden, and all series. No name is markup.
hostile="<b>\"x'&"
for run in {10..27}; do
	noise=$((run * 5 % 18 + 10)) level=10 early=3
	[ $run -lt 20 ] || level=12
	[ $run != 13 ] || { level=90 early=9; }
	golden "runs/$run/gpt/$hostile/golden_values_dev.json" "lm loss" $level.$noise 9 -- \
		'<script>alert(1)</script>' $early.$noise -- zeros 1 2
	golden runs/$run/gpt/b/golden_values_dev.json "lm loss" $level.$noise -- iteration-time 9 $early.$noise -- zeros 1 2
done
golden runs/22/gpt/b/golden_values_dev.json "lm loss" 12.3 -- iteration-time 9 3.1 -- nan NaN
regild audit -q --html page.html --from runs/*
# The style and the script, which are the same on every page, are left out.
sed -e '/^<style>/,/<\/style>$/d' -e '/^<script>/,/<\/script>$/d' -e "s/sha256-[^']*'/sha256-…'/g" page.html
regild audit --html - --from runs/* | cmp - page.html
echo '# nothing is fetched, nothing but the one script is run, and no name is markup'
grep -ioE '<script.?' page.html
! sed '/^<script>/,/<\/script>$/d' page.html | grep -niE '<b>|<link|<img|src=|url\(|@import|http://|https://|[^-]style=|\son[a-z]+='
echo '# every link leads somewhere, and each place is one'
grep -oE 'href="#[^"]*' page.html | sort -u | while read -r href; do grep -c "id=\"${href#*#}\"" page.html; done | uniq -c
grep -oE ' id="[^"]*' page.html | sort | uniq -d
echo '# by another template'
printf '{{runs}} runs, {{#rows}}{{#look}}{{finding}} {{/look}}{{/rows}}\n' >own.html
regild audit -q --html - --html-template own.html --from runs/*
