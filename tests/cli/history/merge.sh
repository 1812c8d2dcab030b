# SPDX-License-Identifier: Apache-2.0
# Histories of two jobs come together, in any order, and again.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1 2 3
start_hub "$PWD/fixture"
audit() {
	XDG_DATA_HOME=$PWD/$1 regild audit -q --repo NVIDIA/Megatron-LM --runs "$2" --csv /dev/null
}
audit one 1,2
audit two 2,3
made_at one/regild/history.db 2026-03-01T00:00:01Z
made_at two/regild/history.db 2026-03-01T00:00:02Z
stop_hub
export XDG_DATA_HOME=$PWD/all
try regild history merge one/regild/history.db
try regild history merge one/regild/history.db two/regild/history.db
try regild history merge -q one/regild/history.db
regild history
XDG_DATA_HOME=$PWD/two try regild history merge one/regild/history.db
try cmp <(XDG_DATA_HOME=$PWD/two regild history list --json -) <(regild history list --json -)
echo "== into another one"
try regild history merge one/regild/history.db two/regild/history.db --into both.db
try regild history merge both.db
try regild history merge both.db --into both.db
try regild history merge both.db --into clickhouse:/both
try regild history merge clickhouse://192.0.2.1/both
echo "== only those of a repository"
XDG_DATA_HOME=$PWD/none try regild history merge one/regild/history.db --repo octo/other
echo "== a later attempt stays, and the fuller one"
sqlite3 one/regild/history.db "PRAGMA foreign_keys = ON; UPDATE runs SET attempt = 2 WHERE id = 1; DELETE FROM goldens WHERE run = 2; UPDATE runs SET goldens = 0, rows = 0 WHERE run = 2"
try regild history merge one/regild/history.db
XDG_DATA_HOME=$PWD/one try regild history merge all/regild/history.db
try cmp <(XDG_DATA_HOME=$PWD/one regild history list --json -) <(regild history list --json -)
echo "== what is wrong with one run leaves that one out"
sqlite3 two/regild/history.db "UPDATE runs SET attempt = 7; UPDATE goldens SET sha256 = 'x' WHERE run = 1"
try regild history merge two/regild/history.db
echo "== what is not a history"
echo text >text.db
: >empty.db
sqlite3 other.db 'CREATE TABLE runs (id)'
head -c 5000 one/regild/history.db >cut.db
for file in text empty other cut missing; do
	try regild history merge $file.db
done
try regild history merge .
try regild history merge
