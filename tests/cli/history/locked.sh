# SPDX-License-Identifier: Apache-2.0
# Another process writes to the history: it is said what is waited for, and then the runs go in.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
for id in 1 2; do
	printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"","fork":false,"complete":true,"kind":"run"}\n' \
		"$id" >"$id.jsonl"
done
regild history import 1.jsonl
mkfifo release
{
	echo "BEGIN IMMEDIATE; SELECT 'locked';"
	read -r <release
} | sqlite3 "$HOME/.local/share/regild/history.db" >lock &
eventually [ -s lock ]
: >said
regild history import 2.jsonl 2>said &
eventually grep -q waiting said
echo go >release
wait
cat said >&2
