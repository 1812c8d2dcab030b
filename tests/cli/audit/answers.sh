# SPDX-License-Identifier: Apache-2.0
# The answers come first: what never differs, what rose and fell from which run on, what more runs would tell.
# Metrics of a family share a line, those in most goldens come first, and --top holds for every table.
for run in {10..24}; do
	noise=$((run * 7 % 15 + 10)) level=10 norm=5
	[ $run -lt 18 ] || level=11
	[ $run -lt 18 ] || norm=3
	for test in a b c; do
		golden runs/$run/gpt/$test/golden_values_dev.json "lm loss" $level.$noise -- zeros 1 2
	done
	golden runs/$run/gpt/a/golden_values_dev.json "lm loss" $level.$noise -- zeros 1 2 -- \
		layer0.norm $norm.$noise -- layer1.norm $norm.$noise -- layer2.bias 0.$noise -- layer3.bias 0.$noise
done
regild audit --from runs/* --top 2
echo "# markdown"
regild audit -q --markdown - --from runs/* | sed -n '/METRICS/,/^- breaks/p'
echo "# by step: what agrees at each step once, else columns"
regild audit -q --json audit.json --from runs/1[0-4]
sed -n '/"metric": "\(lm loss\|zeros\)"/,/^  }/{/"metric"/p;/"statistics"/,/^   }/p}' audit.json | head -n 20
