# SPDX-License-Identifier: Apache-2.0
# A disk that is full while a run is stored: the audit fails, none of that run is in the history, and what
# was stored before is.
# So many values that no compression makes small.
noise() {
	awk -v n="$1" 'BEGIN { srand(n); for (i = 0; i < n; i++) printf "%s%.9f", i ? "," : "", rand() }'
}
hub_runs fixture 2
start_hub "$PWD/fixture"
mkdir -p fixture/artifacts
cat >fixture/runs/1.json <<JSON
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 1, "created_at": "2026-03-01T04:00:00Z"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-1-x", "files": {"golden_values_dev.json": {"lm loss": [$(noise 20000)]}}}]}
JSON
cat >fixture/runs/2.json <<JSON
{"repository": "NVIDIA/Megatron-LM",
 "run": {"id": 2, "created_at": "2026-03-02T04:00:00Z"},
 "jobs": [{"name": "gpt/a - latest"}],
 "artifacts": [{"name": "logs-a-2-x", "files": {"golden_values_dev.json": {"lm loss": [$(noise 3000)]},
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
