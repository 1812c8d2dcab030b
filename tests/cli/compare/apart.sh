# SPDX-License-Identifier: Apache-2.0
# What stands out is in the table, first and marked, even where it is the one that did not move. Rows
# that need a look because halves cancel have the mark too.
new_repository
# goldens FACTOR SECOND…: of eight tests, of which the last never changes.
goldens() {
	for test in a b c d e f g; do
		golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' "$@"
	done
}
golden $ROOT/gpt/h/golden_values_dev.json 'lm loss' 2 2
goldens 2 2
commit
goldens 2.1 2.1
golden $ROOT/gpt/h/golden_values_dev.json 'lm loss' 2 2 -- more 1
regild compare -q --columns test,metric,avg_rel_diff
commit
echo "-- halves that cancel"
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 2.2 2
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 2.1 2.1001
regild compare -q --columns test,metric,avg_rel_diff
