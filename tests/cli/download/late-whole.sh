# A store that answers a later range with the whole file: what has become a whole download is held against
# its digest, and where that is wrong nothing of it is taken, not even what had come out before.
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
sed -n 's/.*"check": *//p' right/manifest.json
awk '$1 == "store" { print $4, $7 }' "$HUB_LOG"
kill $HUB_PID && rm "$SCRATCH/hub.ready"
start_hub "$PWD/fixture" --fault store:no-ranges,every=2 --fault api:digest
try regild download --run 11 --all -q --no-cache -o wrong 2>wrong.err
sed 's/sha256:[0-9a-f]*/DIGEST/g' wrong.err
find wrong -type f
