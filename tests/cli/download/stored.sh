# SPDX-License-Identifier: Apache-2.0
# Artifacts that are one file as it is (archive: false), too large for one request: what is asked for is
# fetched whole after a look at the tail; what is over the limit, or that nobody asks for, stays.
mkdir fixture
values=$(seq 1 20000 | sed 's/.*/"&": 1.5/' | paste -sd ,)
file() {
	printf '{"name": "logs-%s-12-1", "archive": false, "files": {"%s": {"lm loss": {"values": {%s}}}}}' \
		"$1" "$2" "$values"
}
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 12, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"name": "gpt/golden - latest", "conclusion": "failure"},
           {"name": "gpt/log - latest", "conclusion": "failure"}],
  "artifacts": [$(file golden golden_values_dev.json), $(file log stdout.log)]
}
JSON
requests() {
	awk '$1 == "store" { n[$3]++; bytes[$3] += $5 } END { for (path in n) print n[path], bytes[path] }' "$HUB_LOG" |
		sort -n
	: >"$HUB_LOG"
}
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=o/n
try regild download --run 12 --all -q --no-cache -o staged
grep -o '"check": [^,]*' staged/manifest.json
wc -c <staged/files/gpt/golden/golden_values_dev.json
requests
new_repository
git config regild.maxFile 100k
try regild download --run 12 --all -q --no-cache -o limited
find limited -type f
requests
