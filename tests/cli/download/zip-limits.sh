# SPDX-License-Identifier: Apache-2.0
# An artifact beyond a limit says which setting raises it, and a setting beyond its own range is refused.
mkdir fixture
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 12, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "gpt/many"}, {"name": "gpt/dense"}, {"name": "gpt/whole"}],
  "artifacts": [
    {"name": "logs-many-12-1", "files": {"golden_values_a.json": "{}", "b.txt": "", "c.txt": ""}},
    {"name": "logs-dense-12-1", "files": {"golden_values_a.json": "{$(printf %1200000s)}"}},
    {"name": "logs-whole-12-1", "filler": {"name": "stdout.log", "size": 200000},
     "files": {"golden_values_a.json": "{}"}}
  ]
}
JSON
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=o/n
new_repository
mkdir -p $ROOT
git commit -q --allow-empty -m empty
git config regild.maxMembers 2
git config regild.maxRatio 250
git config regild.maxArtifact 100k
try regild download --run 12 --all -q --no-cache --whole -o staged
# What they name is what helps.
git config regild.maxMembers 3
git config regild.maxArtifact 1M
git config regild.maxRatio 2000
try regild download --run 12 --all -q --no-cache --whole -o staged2
staged staged2
printf '[regild]\n\tmaxDepth = 9\n' >.regild
: >"$HUB_LOG"
try regild download --run 12 --all -q -o staged3
try regild refresh --run 12 --all -q
git config regild.maxdepth 1k
try regild download --run 12 --all -q -o staged3
git config regild.maxdepth 8
cat "$HUB_LOG"
try regild download --run 12 --all -q --no-cache -o staged3
