# SPDX-License-Identifier: Apache-2.0
# A report whose writer was killed leaves a temporary file; the next report there takes it away, and no
# other file.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 11
mkdir reports
touch reports/.tmp-regild-notes reports/x.tmp-regild-1-0
left=0
for n in $(seq 1 100); do
	status=0
	(REGILD_FAULT=kill:$n exec regild-faults compare --markdown reports/a.md) >/dev/null 2>&1 || status=$?
	[ "$status" = 137 ] || break
	left=$((left + $(find reports -name '.tmp-regild-[0-9]*' | wc -l)))
done 2>/dev/null
echo "exit code $status"
[ "$left" != 0 ]
regild compare -q --markdown reports/a.md
ls -A reports
