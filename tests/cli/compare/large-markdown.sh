# SPDX-License-Identifier: Apache-2.0
# A reviewer reads 8 kB: lists are cut, details first, and say so, with the command that has all.
new_repository
for i in $(seq 1 400); do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 10 -- mem-allocated-bytes 100
done
commit
for i in $(seq 1 400); do
	golden $ROOT/stage/a-test-with-a-long-name-as-they-are-$i/golden_values.json "lm loss" 1$i -- mem-allocated-bytes 1$i
done
# fits FILE MAX: no longer than that, and filled.
fits() {
	bytes=$(wc -c <"$1")
	[ "$bytes" -le "$2" ] && [ "$bytes" -gt $(($2 * 9 / 10)) ] && echo "fits $2"
}
regild compare -q --markdown summary.md >/dev/null
fits summary.md 8192
grep more summary.md
grep -c '^<details>' summary.md
grep -c '^</details>' summary.md
echo '# as much as GitHub takes'
regild compare -q --markdown summary.md --max-chars 60000 >/dev/null
fits summary.md 60000
grep more summary.md
try regild compare --max-chars 10 --markdown -
try regild compare --max-chars 9000
