# SPDX-License-Identifier: Apache-2.0
# An artifact that is a tar, uploaded as it is (archive: false): its members are taken as a zip's are.
mkdir -p fixture files
golden files/golden_values_dev.json 'lm loss' 10 9 8
echo log >files/stdout.log
tar -C files -cf fixture/goldens.tar .
tar -C files -czf fixture/goldens.tar.gz .
head -c 100 fixture/goldens.tar.gz >fixture/cut.tar.gz
gzip -c files/stdout.log >fixture/stdout.log.gz
names='goldens.tar goldens.tar.gz cut.tar.gz stdout.log.gz'
cat >fixture/run.json <<JSON
{
  "repository": "o/n",
  "run": {"id": 12, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [$(printf '{"name": "gpt/%s - latest", "conclusion": "failure"},' $names | sed 's/,$//')],
  "artifacts": [$(printf '{"name": "logs-%s-12-1", "archive": false, "file": "%s"},' \
		$(printf '%s\n' $names | sed 's/.*/& &/') | sed 's/,$//')]
}
JSON
start_hub "$PWD/fixture"
export GITHUB_REPOSITORY=o/n
try regild download --run 12 --all -q --no-cache -o staged
grep -o '"check": [^,]*' staged/manifest.json
find staged/files -type f | sort
echo '== a digest that does not match'
stop_hub
start_hub "$PWD/fixture" --fault api:digest
try regild download --run 12 --all -q --no-cache -o others 2>wrong.err
grep -c 'its digest is sha256:' wrong.err
find others/files -type f
