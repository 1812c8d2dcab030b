# SPDX-License-Identifier: Apache-2.0
# An address with a scheme that no history has is refused, and not taken for a file's name, wherever it comes
# from; no user or password is shown of it.
new_repository
for address in clickhose://ch.example:8123/db https://me:secret@ch.example/db Postgres://h/d sqlite3+x.y-z://a file:///tmp/history.db \
	'a://'; do
	REGILD_HISTORY=$address try regild history
done
git config regild.history ftp://ch.example/db
for command in history 'history check' 'history show 1' 'history merge x.db' 'history export out' 'history import x.jsonl' \
	'history prune --keep 1d' 'history push' 'history pull' 'history ddl' 'history init' \
	'audit --repo o/r --runs 1' 'history merge clickhose://h/d'; do
	try regild $command
done
git config --unset regild.history
try regild history merge clickhose://h/d
try regild history merge ClickHouse://h/d
echo "== in any case"
REGILD_HISTORY=ClickHouses://127.0.0.1:1 try regild history
REGILD_HISTORY=CLICKHOUSE://ch.example/db try regild history
REGILD_HISTORY=ClickHouse://127.0.0.1/db try regild history ddl | sed -n 1,1p
echo "== runs that a comparison is judged by"
git commit -q --allow-empty -m empty
try regild compare --noise clickhouse://far.example/db
echo "== not quite an address"
for address in ' clickhouse://h/d' clickhouse:/h/d click_house://h/d 2ch://h/d ://h ch.example:8123/db; do
	REGILD_HISTORY=$address try regild history
done
echo "== a path is one, whatever it looks like"
REGILD_HISTORY=./a:b try regild history
REGILD_HISTORY=/nowhere://x try regild history
ls
