# SPDX-License-Identifier: Apache-2.0
# A history of the version before is brought up to date, all or nothing, and has what it had.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
for id in 1 2; do
	printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"2026-03-01T04:00:00Z","fork":false,"complete":true,"kind":"text","path":"t/a.json","sha256":"%064d","bytes":9,"records":null,"metric":"m","text":"x","steps":null,"values":null}\n' \
		"$id" "$id"
done >runs.jsonl
try regild history migrate
regild history import runs.jsonl
try regild history migrate
database=~/.local/share/regild/history.db
before="PRAGMA application_id = 1919379561; PRAGMA user_version = 4; DROP TABLE verdicts; DROP TABLE breaks"
sqlite3 $database "$before"
cp $database before.db
echo "== of the version before"
try regild history
try regild history merge before.db --into other.db
try regild history migrate
try regild history show 2
try regild history check
try regild history migrate
echo "== not one that regild made: nothing of it is changed"
sqlite3 before.db "CREATE TABLE more (a)"
cp before.db same.db
REGILD_HISTORY=$PWD/before.db try regild history migrate
cmp before.db same.db
sqlite3 $database "PRAGMA user_version = 3"
try regild history migrate
echo "== wrong calls"
try regild history migrate --cluster ci
