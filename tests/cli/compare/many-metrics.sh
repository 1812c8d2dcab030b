# SPDX-License-Identifier: Apache-2.0
# A summary of thousands of metrics is cut to its length, whichever list is long, and says how many more
# there are; JSON and CSV keep all.
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
	[ "$(wc -c <summary.md)" -le 8192 ] && [ "$(wc -c <summary.md)" -gt 7300 ] && echo "it fits, and is filled"
	tail -n +2 all.csv | wc -l
	sed -n '/^ "rows"/,/^ \]/p' all.json | grep -c '"metric"'
	grep '^[^A-Z]*more' summary.md
	grep -o '[0-9][0-9]* more [a-z]*' page.html
}
report
echo "== memory"
metrics mem 1 >$ROOT/gpt/a/golden_values_dev.json
commit
metrics mem 2 >$ROOT/gpt/a/golden_values_dev.json
report
