# SPDX-License-Identifier: Apache-2.0
# What GitHub takes is not passed, however many reports there are and whatever they say.
header='{"type": "meta", "meta": {"format_name": "opdiff_run", "format_version": 1}}'
for side in old new; do
	mkdir $side
	for file in {1..60}; do
		{
			echo "$header"
			for item in {1..30}; do
				status=OK
				[ $side = old ] || [ $((item % 2)) = 0 ] || status=EXPORT_FAIL
				printf '{"type": "item", "id": "operator-with-a-long-name-%d", "test_type": "single", "cases": [], "baseline": null, "backends": [{"backend": "b", "res": [{"status": "%s", "ms": 1}], "times_all": null, "diff_all": null}]}\n' "$item" $status
			done
		} >"$side/results-$file.jsonl"
	done
done
regild compare -q --old old --new new --markdown summary.md >/dev/null
[ "$(wc -m <summary.md)" -lt 65536 ] && echo "it fits"
grep 'more' summary.md
grep '^### ' summary.md | tail -n 1
# Nor does a file stop the others whose backends are more than are held against each other.
{
	echo "$header"
	for item in {1..258}; do
		printf '{"type": "item", "id": "%d", "test_type": "single", "cases": [], "baseline": null, "backends": [{"backend": "b%d", "res": [{"status": "OK", "ms": 1}], "times_all": null, "diff_all": null}]}\n' "$item" "$item"
	done
} >many.jsonl
try regild compare -q --old many.jsonl --new many.jsonl --html page.html | grep -e '^opdiff' -e 'left out beyond' -e '^exit'
grep -c 'Left out beyond' page.html
