# SPDX-License-Identifier: Apache-2.0
# NaN that the run no longer writes were placeholders: nothing is held back or lost for them, the project's checks pass,
# and the story has one line for all. A finite value that is gone stays lost.
new_repository
golden $ROOT/gpt/text/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' '"nan"' 1 1
golden $ROOT/gpt/number/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' NaN 1 1 -- 'mtp' '"nan"' NaN '"nan"'
golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10 9 8 -- 'iteration-time' '"nan"' 1 1
golden $ROOT/gpt/whole/golden_values_dev.json 'lm loss' 10 9 8 -- 'mtp' '"nan"' 1
commit
later='"iteration-time": {"start_step": 2, "end_step": 3, "step_interval": 1, "values": {"2": 1, "3": 1}}'
loss='"lm loss": {"start_step": 1, "end_step": 3, "step_interval": 1, "values": {"1": 10, "2": 9, "3": 8}}'
for test in text number; do
	mkdir -p run/logs-$test-7-x
	echo "{$loss, $later}" >run/logs-$test-7-x/golden_values_dev.json
done
echo run >.git/info/exclude
try regild refresh --from run
try regild compare --fail-on lost,nonfinite --json report.json
checked_json <report.json | grep -o '"kind": "\(dropped\|placeholders\)"'
try regild compare -v --csv - 2>&1
try regild check --changed
echo '# what had values is lost'
golden run/logs-lost-7-x/golden_values_dev.json 'lm loss' 10 9
golden run/logs-whole-7-x/golden_values_dev.json 'lm loss' 10 9 8
try regild refresh -q --from run
