# SPDX-License-Identifier: Apache-2.0
# A report whose writer was killed leaves a temporary file; the next report there takes it away, and no
# other file.
. "$REGILD_TOP/tests/faults/serve.sh"
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 11
mkdir reports
touch reports/.tmp-regild-notes reports/x.tmp-regild-1-0
left=0
serve
for n in {1..100}; do
	status=0
	faulty "kill:$n" /dev/null /dev/null compare --markdown reports/a.md || status=$?
	[ "$status" = 137 ] || break
	for file in reports/.tmp-regild-[0-9]*; do [ ! -e "$file" ] || left=$((left + 1)); done
done
echo "exit code $status"
[ "$left" != 0 ]
regild compare -q --markdown reports/a.md
ls -A reports
