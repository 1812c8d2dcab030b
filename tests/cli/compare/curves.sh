# SPDX-License-Identifier: Apache-2.0
# The page's curves: which come first, the values that the script draws from, and the noise band.
# data PAGE CLASS: what the page's script reads.
data() {
	grep -o "class=\"$2\">\"[^\"]*" "$1" | sed 's/.*"//' |
		while read -r block; do
			# A gzip header in place of zlib's.
			{ printf '\037\213\010\0\0\0\0\0\0\0'; echo "$block" | base64 -d | tail -c +3; } | gzip -dc 2>/dev/null || true
			echo
		done | sed 's/}, {/},\n{/g'
}
values() {
	data "$1" curve-data
}
new_repository
for i in 1 2 3; do
	golden $ROOT/gpt/t$i/golden_values_dev.json m1 10 10 10 -- m2 10 10 10 -- m3 100 100 100
done
commit
golden $ROOT/gpt/t1/golden_values_dev.json m1 18 18 18 -- m2 11 11 11 -- m3 100 100 100.0001
golden $ROOT/gpt/t2/golden_values_dev.json m1 19 19 19 -- m2 10 10 10 -- m3 100 100 100
golden $ROOT/gpt/t3/golden_values_dev.json m1 17 17 17 -- m2 12 12 12 -- m3 100 100.0002 100
echo '# curves of rows that need a look are first, in the order of the rows; the first screen has one of each metric'
regild compare -q --html page.html --json all.json >/dev/null
sed -n '/^ "curves"/,/^ \]/p' all.json | grep -o '"\(file\|metric\)": "[^"]*"' | paste - -
grep -o 'class="plot".*, old and new"' page.html | grep -o 'label=.*'
echo '# the rows of the table know their curves'
data page.html row-data | grep -o '"metric".*"curve": "[0-9]*"' | sed 's/, "why".*, "curve"/ "curve"/'
echo '# values are as they are in the goldens; what is not finite, missing or near zero is told'
golden old.json m 0.1 1e-13 3 4 5
golden new.json m 0.30000000000000004 2 NaN 4.5
regild compare -q --old old.json --new new.json --html page.html >/dev/null
values page.html
data page.html row-data | grep -o '"left", "[^"]*"'
echo '# what a noise model has of a row is its band'
for run in 1 2 3 4; do
	golden runs/$run/gpt/t1/golden_values_dev.json m 1 "2.$run" 3
done
regild audit --from runs/* --model noise.db -q
mkdir -p a/gpt/t1 b/gpt/t1
golden a/gpt/t1/golden_values_dev.json m 1 2 3
golden b/gpt/t1/golden_values_dev.json m 1 2 4
regild compare -q --old a --new b --noise noise.db --html page.html --json all.json >/dev/null
values page.html
sed -n '/^ "curves"/,/^ \]/p' all.json
regild report all.json --html again.html
cmp page.html again.html
echo '# what there is no room for is of rows that need a look least, and is counted; by any number of threads'
many() {
	awk -v by="$1" 'BEGIN {
		for (m = 10; m < 41; m++) {
			printf "%s\"m%d\": {\"start_step\": 1, \"end_step\": 1000, \"step_interval\": 1, \"values\": {", (m > 10 ? ", " : "{"), m
			for (s = 1; s <= 1000; s++)
				printf "%s\"%d\": %.9g", (s > 1 ? ", " : ""), s, s * (1 + by * m * 1e-7)
			printf "}}"
		}
		print "}"
	}'
}
mkdir -p old new
rm -f old.json new.json
many 0 >old/0.json
many 1 >new/0.json
for i in 1 2 3 4 5 6 7 8 9; do
	cp old/0.json old/$i.json
	many 1.000$i >new/$i.json
done
regild compare -q --old old --new new --html page.html --json all.json >/dev/null
grep -o 'The values of .*\.' page.html
grep -o '"curves_left_out": [0-9]*' all.json
data page.html row-data | grep -c '"curve": '
data page.html row-data | grep -v '"curve": ' | grep -o '^{[^[]*"metric": "[^"]*' | grep -o '"metric.*' | cut -d, -f1 | sort | uniq -c
taskset -c 0 regild compare -q --old old --new new --html again.html --json all.json >/dev/null
cmp page.html again.html
