# SPDX-License-Identifier: Apache-2.0
# A refresh without a run: a dry run, the summary, the page and the JSON say where the goldens are from, and so do
# the message of the commit and the update log; undo takes it back.
new_repository
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9
done
commit
golden dl/logs-a-22651183945-x/golden_values_dev.json 'lm loss' 10 9.5
golden dl/logs-b-22651183945-x/golden_values_dev.json 'lm loss' 10 9
golden dl/logs-c-22651183945-x/golden_values_dev.json 'lm loss' 10
echo dl >.git/info/exclude

try regild refresh --from dl --dry-run
git status --short
try regild refresh --from dl --markdown - --message message.txt --html page.html --json report.json
checked_json <report.json >/dev/null
grep -o '"run": null' report.json
grep -o '"from": "dl"' report.json
grep -o '<p>[A-Za-z ]*efresh of golden values.*</p>' page.html
cat message.txt
regild report report.json | grep 'golden values from'
regild undo --list | grep -o 'update, .*'
regild undo
git status --short --untracked-files=no

# `update` finds what was downloaded; a step summary has the same words.
regild -q download --from dl
export GITHUB_STEP_SUMMARY=$PWD/step.md
try regild -q update --allow shrink
regild -q undo
try regild -q refresh --from dl --allow shrink --step-summary >/dev/null
grep 'from' step.md
