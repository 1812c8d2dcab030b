# SPDX-License-Identifier: Apache-2.0
# Old runs go, and their place on the disk with them.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1 2 3
sed -i 's/2026-03-03/2999-01-01/' fixture/runs/3.json
sed -i 's/2026-03-0/2020-03-0/' fixture/runs/[12].json
start_hub "$PWD/fixture"
regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2,3 --csv /dev/null
stop_hub
db=$HOME/.local/share/regild/history.db
sqlite3 "$db" "UPDATE runs SET \"when\" = '' WHERE id = 2; INSERT INTO files VALUES (9, hex(zeroblob(50000)))"
try regild history prune --keep 400d --dry-run
try regild history prune --keep 400d --repo o/r
regild history
before=$(stat -c %s "$db")
try regild history prune --keep 400d
echo "$((before - $(stat -c %s "$db"))) bytes"
regild history
try regild history prune --keep 400d
echo "== wrong calls"
try regild history prune
try regild history prune --keep 400
try regild history prune --keep -1d
try regild history prune --keep 99999999d
try regild history prune x --keep 1d
XDG_DATA_HOME=$PWD/none try regild history prune --keep 1d
