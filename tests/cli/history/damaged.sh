# SPDX-License-Identifier: Apache-2.0
# The disk has damaged the history: what regild-history(5) has for that saves all but a few goldens, and the
# runs that have lost one are not complete any more.
for id in {1..40}; do
	values=$(awk -v n="$id" 'BEGIN { for (i = 1; i < 300; i++) print i * i * n % 997 }' | paste -s -d ,)
	printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"2026-03-01T04:00:00Z","fork":false,"complete":true,"kind":"series","path":"t/a.json","sha256":"%064d","bytes":9,"records":null,"metric":"loss","text":null,"steps":[%s],"values":[%s]}\n' \
		"$id" "$id" "$(seq -s , 299)" "$values"
done >runs.jsonl
regild history import runs.jsonl
regild history show 1 >one
regild history show 20 >twenty
database=~/.local/share/regild/history.db
# A page with the last runs' values.
offset=$(grep -abo loss "$database" | tail -n 1 | cut -d : -f 1)
dd if=/dev/zero of="$database" bs=4096 seek=$((offset / 4096)) count=1 conv=notrunc status=none
sed -n '/^regild history export/,/^\.Ed/p' "$REGILD_TOP/man/regild-history.5" | sed '$d' >commands
while read -r command; do
	status=0
	eval "$command" 2>said || status=$?
	echo "$command: $status"
done <commands
lost=$(regild history | grep -c '0 goldens, not complete$')
[ "$lost" -gt 0 ] && [ "$lost" -lt 20 ]
[ "$(regild history | grep -c '1 golden$')" = $((40 - lost)) ]
regild history show 1 | diff - one
regild history show 20 | diff - twenty
