# SPDX-License-Identifier: Apache-2.0
# A summary of thousands of metrics is cut where GitHub would refuse it, whichever list is long, and says
# how many more there are; JSON and CSV keep all.
new_repository
metrics() {
	awk -v prefix="$1" -v value="$2" 'BEGIN {
		printf "{"
		for (i = 1; i <= 2000; i++)
			printf "%s\"%s-of-a-layer-with-a-long-name-%04d\": {\"start_step\": 1, \"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": %s}}",
				(i > 1 ? ", " : ""), prefix, i, value
		print "}"
	}'
}
mkdir -p $ROOT/gpt/a
printf '[metric "norm*"]\n\tnoise = 1e-3\n' >.regild
metrics norm 1 >$ROOT/gpt/a/golden_values_dev.json
commit
metrics norm 1.0001 >$ROOT/gpt/a/golden_values_dev.json
report() {
	regild compare -q --markdown summary.md --json all.json --html page.html --csv all.csv >/dev/null
	[ "$(wc -m <summary.md)" -lt 65536 ] && [ "$(wc -m <summary.md)" -gt 30000 ] && echo "it fits, and is filled"
	tail -n +2 all.csv | wc -l
	grep -o '"metric"' all.json | wc -l
}
report
grep -c 'at or under' summary.md
grep 'more' summary.md
grep -c "at or under" page.html
grep -o "[0-9]* more metrics have rows" page.html
echo "== memory"
metrics mem 1 >$ROOT/gpt/a/golden_values_dev.json
commit
metrics mem 2 >$ROOT/gpt/a/golden_values_dev.json
report
grep -o 'flag level 0.0001)' summary.md | wc -l
grep -o '[0-9]* more.*' summary.md
