# SPDX-License-Identifier: Apache-2.0
# A pattern that fits no job but for a space at the edge of a field.
mkdir fixture
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 12, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "nightly / gpt", "conclusion": "failure"}, {"name": "lint", "conclusion": "success"}],
  "artifacts": [{"name": "goldens-gpt", "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 1}}}}}]
}
JSON
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=o/n
new_repository
git config regild.jobs.name '{any}/ {test}'
git config regild.jobs.artifact 'goldens-{test}'
git config regild.jobs.target '{test}/{file}'
try regild download --run 12 --all -q --no-cache -o staged
regild download --run 12 --all -q --no-cache -o staged --explain
git config regild.jobs.name '{any} / {test}'
regild download --run 12 --all -q --no-cache -o staged
