# SPDX-License-Identifier: Apache-2.0
# A disk that is full while a run is stored: the audit fails, none of that run is in the history, and what
# was stored before is.
hub_runs fixture 2
start_hub "$PWD/fixture"
mkdir -p fixture/artifacts
cat >fixture/runs/1.json <<JSON
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 1, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-1-x", "files": {"golden_values_dev.json": {"lm loss": [$(seq -s , 1.0001 20000.0001)]}}}]}
JSON
JSON_2=$(seq -s , 1.5 3000.5)
cat >fixture/runs/2.json <<JSON
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 2, "created_at": "2026-03-02T04:00:00Z"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-2-x", "files": {"golden_values_dev.json": {"lm loss": [$JSON_2]},
                "golden_values_lts.json": {"lm loss": [1, 2]}}}]}
JSON
stop_hub
start_hub "$PWD/fixture"
audit="regild audit -q --repo NVIDIA/Megatron-LM --csv /dev/null"
try $audit --runs 1
full=$(($(stat -c %s "$HOME/.local/share/regild/history.db") / 1024))
rm -r "$HOME/.cache"
# A write past this size fails, and does not kill.
try bash -c "trap '' XFSZ; ulimit -f $full; $audit --runs 2"
regild history | cut -d ' ' -f 1
ls "$HOME/.local/share/regild"
try $audit --runs 2
regild history | cut -d ' ' -f 1
