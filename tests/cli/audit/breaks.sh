# SPDX-License-Identifier: Apache-2.0
# Runs that moved for good from one on, and one that is bad in itself: the table names the runs and the
# clearest series, says what it leaves out, and takes the noise from the newest regime.
for run in {10..27}; do
	noise=$((run * 5 % 18 + 10)) level=10 early=3
	[ $run -lt 20 ] || level=12
	[ $run -lt 16 ] || early=4
	[ $run != 13 ] || level=90
	golden runs/$run/gpt/early/golden_values_dev.json "lm loss" $early.$noise -- grad 3.$noise
	for test in {10..31}; do
		mkdir runs/$run/gpt/t$test
		echo "{\"lm loss\": [$level.$((noise + test)), 9]}" >runs/$run/gpt/t$test/golden_values_dev.json
	done
done
regild audit --from runs/* --top 3
regild audit --from runs/* --top 1 | grep -A 2 '^SERIES'
