# SPDX-License-Identifier: Apache-2.0
# The user's own history may have come from elsewhere, as out of an artifact: it is looked at as one that is merged.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1
start_hub "$PWD/fixture"
regild audit -q --repo NVIDIA/Megatron-LM --runs 1 --csv /dev/null
database=$HOME/.local/share/regild/history.db
cp "$database" good.db
# with SQL: what it makes of the file is refused.
with() {
	echo "== $1"
	cp good.db "$database"
	sqlite3 "$database" "$1"
	for command in "history" "history show 1" "history export out" "history check" \
		"audit --repo NVIDIA/Megatron-LM --runs 1 --csv /dev/null"; do
		timeout 300 regild $command 2>&1 && echo "it is taken"
	done | sort | uniq -c
}
with "ALTER TABLE runs RENAME TO r; CREATE VIEW runs AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS run FROM c"
with "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"
with "CREATE VIEW more AS SELECT 1"
with "DROP TABLE texts"
with "CREATE INDEX i ON runs (id)"
cp good.db "$database"
sqlite3 "$database" ANALYZE
regild history
