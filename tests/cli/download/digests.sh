# SPDX-License-Identifier: Apache-2.0
# A digest that does not match is an error wherever all of an artifact is moved: a small one, one file that
# is not zipped, one of which everything is wanted, a zip in it, --whole. Where parts are enough, they have
# their CRC-32.
values=$(seq 1 60000 | awk '{ printf "%s\"%d\": %d.%d", (NR > 1 ? "," : ""), $1, $1 * 7919 % 10007, $1 * 104729 % 9973 }')
golden='"golden_values_dev.json": {"lm loss": {"values": {"1": 1.5}}}'
large='"golden_values_dev.json": {"lm loss": {"values": {'$values'}}}'
filler='{"name": "stdout.log", "size": 300000}'
mkdir -p fixture/artifacts
cp -r "$REGILD_TOP/fixtures/nested/artifacts/logs-xnnpack-9-1" fixture/artifacts/nested
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 11, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "gpt/small - latest", "conclusion": "failure"}, {"name": "gpt/plain - latest", "conclusion": "failure"},
           {"name": "gpt/all - latest", "conclusion": "failure"}, {"name": "gpt/part - latest", "conclusion": "failure"},
           {"name": "gpt/nested - latest", "conclusion": "failure"}],
  "artifacts": [{"name": "logs-small-11-1", "files": {$golden}},
                {"name": "logs-plain-11-1", "archive": false, "files": {$large}},
                {"name": "logs-all-11-1", "files": {$large}},
                {"name": "logs-part-11-1", "files": {$golden}, "filler": $filler},
                {"name": "logs-nested-11-1", "contents": "nested"}]
}
JSON
export GITHUB_REPOSITORY=o/n
new_repository
git config regild.files 'golden_values*.json golden_artifacts_*.zip!**/*.bin'
start_hub "$PWD/fixture"
try regild download --run 11 --all -q --no-cache -o right
grep -o -e '"name": "logs-[a-z]*' -e '"check": [^,]*' right/manifest.json
# All of it is moved once, and not in many ranges.
awk '$1 == "store" { print $4 }' "$HUB_LOG" | sort | uniq -c | awk '{ print $1, $2 }'
stop_hub
start_hub "$PWD/fixture" --fault api:digest
try regild download --run 11 --all -q --no-cache -o wrong 2>wrong.err
sed 's/sha256:[0-9a-f]*/DIGEST/g; s/the [0-9]* bytes/the bytes/' wrong.err
find wrong/files -type f
try regild download --run 11 --all -q --no-cache --whole -o whole 2>wrong.err
sed 's/sha256:[0-9a-f]*/DIGEST/g; s/the [0-9]* bytes/the bytes/' wrong.err
find whole -type f
