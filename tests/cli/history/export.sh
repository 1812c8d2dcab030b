# SPDX-License-Identifier: Apache-2.0
# A history as files for other programs: a file a day, the same bytes again, and back in.
{ command -v sqlite3 && command -v zstd; } >/dev/null || skip "needs sqlite3 and zstd"
hub_runs fixture 1 2
start_hub "$PWD/fixture"
regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --csv /dev/null
stop_hub
try regild history export out
ls out
zstd -dc out/2026-03-01.jsonl.zst
try regild history export out --format csv
zstd -dc out/2026-03-02.csv.zst
echo "== the same bytes, whatever was first"
XDG_DATA_HOME=$PWD/two try regild history import out/2026-03-02.jsonl.zst
XDG_DATA_HOME=$PWD/two try regild history import out
XDG_DATA_HOME=$PWD/two try regild history import out/2026-03-01.csv.zst
XDG_DATA_HOME=$PWD/two try regild history export again
try cmp out/2026-03-01.jsonl.zst again/2026-03-01.jsonl.zst
try cmp out/2026-03-02.jsonl.zst again/2026-03-02.jsonl.zst
echo "== values that are not finite, texts, tables, a run and a golden with nothing, names to escape"
sqlite3 "$HOME/.local/share/regild/history.db" "
INSERT INTO runs VALUES (7, 'github.com/o/r', 'github', 's', 9, 1, 'c', 'a,\"b\"' || char(10) || 'c', 'push', '', 1, 0, 0, 0);
INSERT INTO files VALUES (7, 'x/\"q\",.csv'), (8, 'x/none.json');
INSERT INTO runs VALUES (8, 'github.com/o/r', 'github', 's', 10, 1, '', '', '', 'now', 0, 1, 2, 5);
INSERT INTO goldens VALUES (7, 8, 7, '$(printf %064d 1)', 5, '[\"k,1\",\"k2\"]', 3), (8, 8, 8, '$(printf %064d 2)', 2, NULL, 0);
INSERT INTO series SELECT 7, 'm \"1\"', 2, 0, 1, 2, NULL, NULL, NULL, NULL, '', x'020001ea3dc28b';
INSERT INTO texts VALUES (7, '', ''), (7, 't', 'a' || char(13, 10) || 'b')"
regild history show 9
regild history export odd --repo o/r
zstd -dc odd/undated.jsonl.zst
export XDG_DATA_HOME=$PWD/jsonl
try regild history import odd/undated.jsonl.zst
regild history export jsonl
try cmp odd/undated.jsonl.zst jsonl/undated.jsonl.zst
echo "== wrong calls"
try regild history export
try regild history export out --format xml
try regild history import
try regild history import missing.jsonl
try regild history import out/notes.txt
mkdir empty
try regild history import empty
try regild history export /dev/null/x
