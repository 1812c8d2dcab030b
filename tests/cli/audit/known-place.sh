# SPDX-License-Identifier: Apache-2.0
# A break whose place is known to one run is not said to be at one of several: those would be the first and the last run
# of the whole audit.
for run in $(seq 10 45); do
	noise=$(((run * run * 7 + run * 3) % 17 + 30)) level=2
	[ $run -lt 25 ] || level=9
	[ $run != 24 ] || noise=10
	[ $run != 25 ] || noise=90
	golden runs/$run/gpt/a/golden_values_dev.json "lm loss" $level.$noise
done
regild audit --from runs/* --markdown report.md --html report.html --json report.json | grep '^break'
grep '^| break' report.md
try grep -c "from one of" report.md report.html
checked_json <report.json | grep -E '"(error_rate|runs_hang_together)"'
