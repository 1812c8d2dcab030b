# SPDX-License-Identifier: Apache-2.0
# What a check finds is found in new goldens, too: NaN and a golden without metrics are held back, the rest is told.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9
commit
golden staged/files/gpt/nan/golden_values_dev.json 'lm loss' NaN NaN -- 'iteration-time' '"nan"' 1
golden staged/files/gpt/usual/golden_values_dev.json 'lm loss' 2 1 -- 'iteration-time' '"nan"' 1
mkdir -p staged/files/gpt/empty staged/files/gpt/twice
echo '{}' >staged/files/gpt/empty/golden_values_dev.json
echo '{"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": 1, "1": 2, "9": null}}}' \
	>staged/files/gpt/twice/golden_values_dev.json
staging_manifest staged
try regild update staged
git status --short -uall -- $ROOT
try regild compare
try regild compare -q --fail-on nonfinite
regild -q undo
echo '# let through'
try regild update -q staged --allow nonfinite --allow empty
try regild compare --json report.json
checked_json <report.json | grep -o '"notes": .*'
try regild compare -q --fail-on nonfinite
