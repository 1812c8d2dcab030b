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

# A staging folder keeps whose run it was.
cat >run.json <<'end'
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z", "head_repository": "somebody/Megatron-LM"},
 "jobs": [{"name": "gpt/b - latest"}],
 "artifacts": [{"name": "logs-b-7-x", "files": {"golden_values_dev.json":
    {"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": 7.5}}}}}]}
end
mkdir fixture && mv run.json fixture
start_hub fixture
regild -q download --repo NVIDIA/Megatron-LM --run 7 --all -o staged
stop_hub
try regild -q refresh --from staged --allow shrink | grep -v '^$'
