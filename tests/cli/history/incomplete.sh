# SPDX-License-Identifier: Apache-2.0
# A run of which rows are lost is named and left out, wherever it is read; whoever has all of it mends it.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1 2 3
start_hub "$PWD/fixture"
audit() {
	regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2,3 --csv "$1"
}
export XDG_DATA_HOME=$PWD/own
shared=$PWD/shared.db
database=own/regild/history.db
audit whole.csv
made_at $database 2026-03-01T00:00:01Z
try regild history check
cp $database whole.db
lose() {
	sqlite3 "$1" "PRAGMA foreign_keys = ON; $2"
}
echo "== rows of one golden, and a whole golden"
lose $database "DELETE FROM series WHERE golden = (SELECT min(golden) FROM goldens WHERE run = 1)"
lose $database "DELETE FROM goldens WHERE run = 3"
try regild history check
try regild history check -q
try regild history check --repo octo/other
try regild history
try regild runs --repo NVIDIA/Megatron-LM
try regild history show 1
try regild history show 1 tests
regild history show 2 | head -n 1
{ regild history show 1 --json - || echo "$?" >code; } | checked_json
cat code
try regild history export out
ls out
echo "== an audit measures the others"
try audit rest.csv
cut -d , -f 1 rest.csv | sort -u | wc -l
echo "== fetched again, the golden is whole; which goldens the other run had, nobody knows"
lose $database "UPDATE runs SET complete = 0"
try audit again.csv
made_at $database 2026-03-01T00:00:02Z
try regild history check
lose $database "DELETE FROM series WHERE golden IN (SELECT golden FROM goldens JOIN runs USING (run) WHERE id = 1)"
echo "== pushed, it is left out; from there it would be mended"
REGILD_HISTORY=$shared try regild history push
REGILD_HISTORY=$shared regild history check
REGILD_HISTORY=whole.db try regild history pull
try regild history check
try regild history check
echo "== and so is the shared one"
lose "$shared" "DELETE FROM texts; DELETE FROM series"
REGILD_HISTORY=$shared try regild history check
REGILD_HISTORY=$shared try regild history push
REGILD_HISTORY=$shared try regild history check
REGILD_HISTORY=$shared try regild history push
echo "== neither has all of it"
lose "$shared" "DELETE FROM series WHERE golden IN (SELECT golden FROM goldens JOIN runs USING (run) WHERE id = 1)"
lose $database "DELETE FROM series WHERE golden IN (SELECT golden FROM goldens JOIN runs USING (run) WHERE id = 1)"
REGILD_HISTORY=$shared try regild history push
echo "== merged"
try regild history merge whole.db
try regild history merge whole.db
echo "== of many, one warning"
for id in {11..17}; do
	printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"2026-03-01T04:00:00Z","fork":false,"complete":true,"kind":"text","path":"t/a.json","sha256":"%064d","bytes":9,"records":null,"metric":"m","text":"x","steps":null,"values":null}\n' \
		"$id" "$id"
done >many.jsonl
export XDG_DATA_HOME=$PWD/many
regild history import many.jsonl
lose many/regild/history.db "DELETE FROM texts WHERE golden > 1"
try regild history
XDG_DATA_HOME=$PWD/few try regild history merge many/regild/history.db
