# SPDX-License-Identifier: Apache-2.0
# Another process writes to the history: it is said what is waited for, and then the runs go in.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
for id in 1 2; do
	printf '{"repository":"github.com/o/r","source":"github","settings":"s","id":%d,"attempt":1,"commit":"c","branch":"main","event":"push","when":"","fork":false,"complete":true,"kind":"run"}\n' \
		"$id" >"$id.jsonl"
done
regild history import 1.jsonl
{
	echo "BEGIN IMMEDIATE; SELECT 'locked';"
	sleep 2
} | sqlite3 "$HOME/.local/share/regild/history.db" >lock &
until [ -s lock ]; do sleep 0.02; done
regild history import 2.jsonl
wait
