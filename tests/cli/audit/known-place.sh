# SPDX-License-Identifier: Apache-2.0
# A break whose place is known to one run is not said to be at one of several: those would be the first and the last run
# of the whole audit. These runs resemble the ones before them: nothing bounds a break's chance, and no output gives one.
for run in {10..45}; do
	noise=$(((run * run * 7 + run * 3) % 17 + 30)) level=2
	[ $run -lt 25 ] || level=9
	[ $run != 24 ] || noise=10
	[ $run != 25 ] || noise=90
	golden runs/$run/gpt/a/golden_values_dev.json "lm loss" $level.$noise
done
regild audit --from runs/* --markdown report.md --html report.html --json report.json | grep -E '^(possible )?break'
grep '^| possible break' report.md
try grep -c "from one of" report.md report.html
checked_json <report.json | grep -E '"(error_rate|runs_hang_together)"'
regild audit -q --from runs/* --csv report.csv
python3 - <<'EOF'
import csv, json
audit = json.load(open('report.json'))
print(audit['reasons'], audit['findings'][0].get('p'), [(b['p'], b['p_adjusted']) for b in audit['series'][0]['breaks']])
print([(row['break_at'], row['break_p'], row['break_p_adjusted']) for row in csv.DictReader(open('report.csv'))])
EOF
try grep -c chance report.html
