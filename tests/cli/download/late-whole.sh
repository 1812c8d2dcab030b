# SPDX-License-Identifier: Apache-2.0
# A store that answers a later range with the whole file: what has become a whole download is held against
# its digest, and everything is taken from it again; if the digest is wrong nothing is, not even what was out.
mkdir fixture
cat >fixture/run.json <<'JSON'
{
  "repository": "o/n",
  "run": {"id": 11, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "gpt/late - latest", "conclusion": "failure"}],
  "artifacts": [{"name": "logs-late-11-1",
                 "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 1.5}}}},
                 "filler": {"name": "stdout.log", "size": 300000}}]
}
JSON
start_hub "$PWD/fixture" --fault store:no-ranges,every=2
export GITHUB_REPOSITORY=o/n
try regild download --run 11 --all -q --no-cache -o right
grep -o '"check": [^,]*' right/manifest.json
awk '$1 == "store" { print $4, $7 }' "$HUB_LOG"
stop_hub
start_hub "$PWD/fixture" --fault store:no-ranges,every=2 --fault api:digest
try regild download --run 11 --all -q --no-cache -o wrong 2>wrong.err
sed 's/sha256:[0-9a-f]*/DIGEST/g' wrong.err
find wrong -type f

# Bytes that came before it, in a range, do not count either: here the tail had a bit flipped.
values=$(seq 1 60000 | awk '{ printf "%s\"%d\": %d.%d", (NR > 1 ? "," : ""), $1, $1 * 7919 % 10007, $1 * 104729 % 9973 }')
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 13, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "gpt/zip - latest", "conclusion": "failure"},
           {"name": "gpt/plain - latest", "conclusion": "failure"}],
  "artifacts": [{"name": "logs-zip-13-1", "files": {"golden_values_dev.json": {"lm loss": {"values": {$values}}}}},
                {"name": "logs-plain-13-1", "archive": false,
                 "files": {"golden_values_dev.json": {"lm loss": {"values": {$values}}}}}]
}
JSON
for artifact in 13500 13501; do
	stop_hub
	start_hub "$PWD/fixture" --fault store:no-ranges,every=2,match=$artifact --fault store:flip,first=1,match=$artifact
	try regild download --run 13 --all -q --no-cache -o flipped-$artifact
	grep -o '"check": [^,]*' flipped-$artifact/manifest.json
done
cmp flipped-13500/files/gpt/zip/golden_values_dev.json flipped-13501/files/gpt/zip/golden_values_dev.json
cmp flipped-13500/files/gpt/plain/golden_values_dev.json flipped-13501/files/gpt/plain/golden_values_dev.json
