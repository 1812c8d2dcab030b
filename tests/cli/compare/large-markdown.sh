# SPDX-License-Identifier: Apache-2.0
# A reviewer reads 12 kB: lists are cut, details first, and say so, with the command that has all.
new_repository
for i in {1..400}; do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 10 -- mem-allocated-bytes 100
done
commit
for i in {1..400}; do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 1$i -- mem-allocated-bytes 1$i
done
# fits FILE MAX: no longer than that, and filled.
fits() {
	bytes=$(wc -c <"$1")
	[ "$bytes" -le "$2" ] && [ "$bytes" -gt $(($2 * 9 / 10)) ] && echo "fits $2"
}
# So many metrics have a line each.
for i in 1 2; do
	{
		printf '{'
		for k in {1..400}; do
			printf '"%s": {"1": 1, "2": %s}, ' "a-metric-with-a-long-name-as-they-are-$k" "$i$k"
		done
		printf '"z": {"1": 1}}\n'
	} >$i.json
done
regild compare -q --markdown summary.md >/dev/null
[ "$(wc -c <summary.md)" -le 12000 ]
regild compare -q 1.json 2.json --markdown - >metrics.md
grep -c '^| `a-metric' metrics.md
grep more metrics.md
grep -c '^<details>' summary.md
grep -c '^</details>' summary.md
echo '# as much as GitHub takes'
regild compare -q --markdown summary.md --max-chars 60000 >/dev/null
[ "$(wc -c <summary.md)" -le 60000 ]
{
	printf '{'
	seq -f '"t%g": "a"' -s, 900 | tr -d '\n'
	printf '}\n'
} >texts.json
sed 's/"a"/"b"/g' texts.json >others.json
regild compare -q texts.json others.json --markdown texts.md --max-chars 20000 >/dev/null
fits texts.md 20000
grep more texts.md
try regild compare --max-chars 10 --markdown -
try regild compare --max-chars 9000
