# SPDX-License-Identifier: Apache-2.0
# Whatever an API says that a download takes, the update of it reads; what neither takes is refused first.
mkdir fixture
run() {
	cat >fixture/run.json <<JSON
{
  "repository": "NVIDIA/Megatron-LM",
  "run": {"id": 900719925474001, "attempt": $1, "created_at": "2026-03-01T04:00:00Z"},
  "jobs": [{"id": 4, "name": "gpt/a"}, {"id": 5, "name": "gpt/b"}, {"id": 6, "name": "gpt/c"}],
  "artifacts": [
    {"id": 7, "name": "logs-a-900719925474001-1", "files": {"golden_values_a.json": "{}"}},
    {"id": 8, "name": "logs-b-900719925474001-1", "size": 9007199254740992, "files": {"b.txt": ""}},
    {"id": 9, "name": "logs-c-900719925474001-1", "size": 9007199254740992, "files": {"c.txt": ""}}
  ]
}
JSON
	start_hub fixture
}
run 1000000000
hub_repository
try regild download --run 900719925474001 --all -q --no-cache -o staged
grep -o '"\(id\|attempt\|bytes_total\|artifact_id\)": [^,]*' staged/manifest.json
try regild update staged
stop_hub
run 1000000001
try regild download --run 900719925474001 --all -q -o none
try regild download --run 900719925474001 --attempt 1000000001 --all -q -o none
try regild download --run https://github.com/o/n/actions/runs/5/attempts/1000000001 --all -q -o none
