#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A history on ClickHouse: two real servers as two shards on loopback, and what goes wrong with them. Closes
# with "N passed, N failed, N skipped".
# usage: tests/cluster/run.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
export REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1 LC_ALL=C TZ=UTC TERM=dumb
CLUSTER=$PWD/build/cluster
SCRATCH=$(cd "$(mktemp -d)" && pwd -P)
export SCRATCH HOME=$SCRATCH/home CLUSTER
mkdir "$HOME" "$SCRATCH/work"
rm -rf "$CLUSTER"
. tests/cli/lib.sh
. tests/cluster/lib.sh
end() {
	stop_cluster
	[ -z "${HUB_PID:-}" ] || kill "$HUB_PID" 2>/dev/null
	rm -rf "$SCRATCH"
}
trap end EXIT
passed=0 failed=0
exec 3>/dev/null
[ -z "${V:-}" ] || exec 3>&1

# check NAME FUNCTION: it runs in a folder of its own, up to what fails.
check() {
	local status start=$SECONDS
	mkdir -p "$SCRATCH/work/$1"
	(
		cd "$SCRATCH/work/$1" || exit
		set -ex
		"$2"
	) >"$SCRATCH/log" 2>&1
	status=$?
	[ -z "${V:-}" ] || echo "$1: $((SECONDS - start)) s"
	if [ "$status" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL cluster/%s\n' "$1"
		tail -n 30 "$SCRATCH/log"
		revive
	fi
}

# What a test left dead.
revive() {
	local n
	for n in 1 2; do
		signal_server "$n" CONT 2>/dev/null || true
		! is_gone "$n" || start_server "$n" >/dev/null
	done
}

lacks() {
	! grep -qF -- "$1" "$2"
}

# fails CODE TEXT COMMAND…: it ends with that exit code, and says that, but no password.
fails() {
	local code=$1 text=$2 status=0
	shift 2
	"$@" >said 2>&1 || status=$?
	cat said
	[ "$status" = "$code" ] && grep -qF -- "$text" said && lacks "$CLUSTER_PASSWORD" said &&
		lacks "$(printf '%s' "$CLUSTER_USER:$CLUSTER_PASSWORD" | base64)" said
}

if ! command -v clickhouse-server >/dev/null; then
	echo "cluster: clickhouse-server is not installed; 'make test-cluster' does that"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
start_cluster || {
	echo "cluster: the servers do not start"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
}
export CLICKHOUSE_USER=$CLUSTER_USER CLICKHOUSE_PASSWORD=$CLUSTER_PASSWORD
# Nobody is waited for longer than a test needs.
export REGILD_RETRY_BASE_MS=20 REGILD_STALL_MS=5000
pair=clickhouse://${http[1]}/pair one=clickhouse://${http[1]}/one
audit="regild audit --repo NVIDIA/Megatron-LM --runs 1,2,3,4,5,6"

# ---- the tables ----

make_tables() {
	fails 3 "has no tables for a history; 'regild history init' makes them" env REGILD_HISTORY="$one" regild history
	REGILD_HISTORY=$one regild history init
	REGILD_HISTORY=$one regild history init
	REGILD_HISTORY=$pair regild history init --cluster pair | carry_out 1 2
	[ -z "$(REGILD_HISTORY=$pair regild history)" ]
	fails 3 "knows no cluster 'none'" env REGILD_HISTORY="$pair" regild history init --cluster none
	# Servers at one address are told apart.
	REGILD_HISTORY=$pair regild history init --cluster pair | head -n 1 |
		grep -qx -- "-- to run on each server of the cluster 'pair': 127.0.0.1:$((first + 1)), 127.0.0.1:$((first + 5))"
	fails 2 "the tables of 'pair' are spread over the cluster 'pair'; --cluster pair prints the statements" \
		env REGILD_HISTORY="$pair" regild history init
	diff <(REGILD_HISTORY=$pair regild history init --cluster pair | tail -n +2) <(REGILD_HISTORY=$pair regild history ddl --cluster pair)
}
check tables make_tables

# Its statements are those that init carries out; a replicated one is another engine and nothing else.
print_tables() {
	regild history ddl >ddl
	sed 's/regild\./by_hand./; s/regild$/by_hand/; s/EXISTS regild/EXISTS by_hand/; s/FROM regild/FROM by_hand/' ddl |
		awk 'BEGIN { RS = ";\n\n" } NF { print > sprintf("statement%02d", NR) }'
	sed -i 's/regild\./by_hand./g; s/EXISTS regild;*$/EXISTS by_hand/' statement*
	for file in statement*; do sql 1 "$(cat "$file")"; done
	REGILD_HISTORY=clickhouse://${http[1]}/by_hand regild history
	diff <(regild history ddl --cluster pair | sed "s/MergeTree()/X/") \
		<(regild history ddl --cluster pair --replicated | sed "s/ReplicatedMergeTree(.*)$/X/")
}
check ddl print_tables

# ---- both stores do the same ----

suite() {
	REGILD_TEST_HISTORY=$1 "$REGILD_BUILD/unit/test_history_store"
	REGILD_TEST_HISTORY=$1 "$REGILD_BUILD/unit/test_history_store_audits"
}
suite_one() { suite "$one"; }
suite_pair() { suite "$pair"; }
check store/one suite_one
check store/pair suite_pair

# ---- audits ----

# outputs FOLDER: an audit's, all of them; they name the call, which is the same in each folder.
outputs() {
	mkdir -p "$1"
	(cd "$1" && $audit --csv csv --json json --markdown markdown --model model --export export >out)
}

make_runs() {
	local id test entries branch
	for id in 1 2 3 4 5 6; do
		entries=()
		for test in a b 'it'\''s' c d; do entries+=("$test=$id.${#test}$((id * id % 7))"); done
		branch=main
		[ "$id" != 4 ] || branch="o'ther\\\\n"
		hub_run fixture "$id" "$branch" '"event": "schedule",' "${entries[@]}"
	done
	start_hub "$PWD/fixture"
}
cd "$SCRATCH/work" && make_runs
trap end EXIT # the hub's own was set instead

same_reports() {
	outputs local
	[ "$(wc -l <local/export)" -gt 25 ]
	for store in one pair; do
		REGILD_HISTORY=${!store} outputs "$store"
		diff -r local "$store"
		# And what is there already is not fetched again.
		REGILD_HISTORY=${!store} GITHUB_API_URL=http://127.0.0.1:1 outputs "$store-again"
		diff -r local "$store-again"
	done
	[ "$(sql 1 'SELECT count() FROM pair.current_runs')" = 6 ]
	# Each shard has a part.
	for n in 1 2; do [ "$(sql $n 'SELECT count() FROM pair.series_local')" -gt 0 ]; done
}
check audit/same same_reports

# Each question has the same answer, whichever store is asked; texts are texts there.
same_replies() {
	local question store
	for question in "curve file=% metric=%" "drift metric=%" "commit commit=0" "flaky" "last-audit file=tests/%" "breaks file=tests/%" "drift metric=\\'%"; do
		env -u REGILD_HISTORY regild history ask $question --csv local
		for store in one pair; do
			REGILD_HISTORY=${!store} regild history ask $question --csv "$store"
			cmp local "$store"
		done
	done
	REGILD_HISTORY=$pair regild history ask curve file=% metric=% --csv - >curve
	[ "$(wc -l <curve)" -gt 25 ]
}
check ask/same same_replies

# A server takes what the dashboard asks.
dashboard() {
	python3 -c 'import json, re, sys
for n, panel in enumerate(json.load(open(sys.argv[1]))["panels"]):
	sql = panel["targets"][0]["rawSql"].replace("${__from:date:YYYY-MM-DD}", "2026-01-01")
	open(f"panel{n}", "w").write(re.sub(r"[$][{][a-z]+:sqlstring[}]", "\x27%\x27", sql))' \
		"$REGILD_TOP/examples/grafana/goldens.json"
	[ "$(echo panel*)" = 'panel0 panel1 panel2 panel3 panel4 panel5' ]
	for file in panel*; do
		curl -sS --fail-with-body -u "$CLUSTER_USER:$CLUSTER_PASSWORD" "http://${http[1]}/?database=pair" --data-binary "@$file" >out
		echo "$file: $(wc -l <out)"
	done
}
check ask/dashboard dashboard
reports=$SCRATCH/work/audit/same/local

# Many runs, pushed from the local history: each shard sorts its part, and both stores say the same.
many=$(seq -s , 1001 1060)
measure() {
	mkdir "$1"
	(cd "$1" && regild audit --repo NVIDIA/Megatron-LM --runs "$many" --json json --model model >out)
}
# Writes every value, and prints how many statements the audit ran.
export_values() {
	regild audit -vv --repo NVIDIA/Megatron-LM --runs "$many" --export "$1" 2>said >/dev/null
	grep -c 'POST.*: 200' said || true
}
inserts() {
	sql 1 "SELECT value FROM system.events WHERE event = 'InsertQuery'"
}
# as_settled FILE: its runs are of the settings that audits here have.
as_settled() {
	python3 -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db: db.execute("UPDATE runs SET settings = ?", sys.argv[2:])' \
		"$1" "$(sql 1 'SELECT any(settings) FROM pair.current_runs WHERE id = 1')"
}
many_runs() {
	export GITHUB_API_URL=http://127.0.0.1:1
	"$REGILD_BUILD/bench/history" "$PWD/local.db" 1001 1061
	as_settled local.db
	REGILD_HISTORY=$PWD/local.db measure local
	mkdir -p data/regild
	cp local.db data/regild/history.db
	export XDG_DATA_HOME=$PWD/data
	inserts >before
	REGILD_HISTORY=$pair regild -vv history push 2>said
	# They went together: one INSERT of series and one of runs, and perhaps those to its own shard; so did what the
	# audit found, breaks and verdicts.
	inserts >after
	# And what the server has of them was asked for together, after its version and its list; then its verdicts.
	[ "$(grep -c 'POST.*: 200' said)" = 7 ]
	[ "$(($(cat after) - $(cat before)))" -le 8 ]
	REGILD_HISTORY=$pair regild history push | grep -qx 'nothing new, kept 60'
	export XDG_DATA_HOME=$PWD/nothing
	REGILD_HISTORY=$pair measure pair
	diff -r local pair
	# The 20 goldens of all runs come with five statements, and every value of theirs with five more.
	statements=$(REGILD_HISTORY=$pair export_values pair.csv)
	[ "$statements" -ge 10 ]
	[ "$statements" -le 20 ]
	REGILD_HISTORY=$PWD/local.db export_values local.csv
	cmp local.csv pair.csv
	# Rows that came twice count once, too.
	sql 1 "INSERT INTO pair.series_local SELECT * FROM pair.series_local WHERE run = 1003"
	REGILD_HISTORY=$pair measure twice
	diff -r local twice
}
check audit/many many_runs

# seconds COMMAND…: how long it took is in $seconds.
seconds() {
	local start=${EPOCHREALTIME/./}
	"$@"
	seconds=$((${EPOCHREALTIME/./} - start))
}

# From far away the goldens of many paths come at once, and so do many runs' to an export: that takes at most three
# times as long as from a file, with 25 ms of network each way five times.
far_away() {
	local n=0 address audits exports
	export GITHUB_API_URL=http://127.0.0.1:1
	many=$(seq -s , 40)
	address=clickhouse://${http[1]}/far
	REGILD_HISTORY=$address regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" "$PWD/local.db" 1 41 100
	as_settled "$PWD/local.db"
	regild history merge local.db --into "$address"
	slow_way 1
	for address in "$PWD/local.db" "$address" "clickhouse://$slow/far"; do
		export REGILD_HISTORY=$address
		seconds regild audit -vv --repo NVIDIA/Megatron-LM --runs "$many" --json audit 2>"audited$n" >/dev/null
		mv audit "audit$n"
		audits+=" $seconds"
		seconds regild history export -vv "exported$n" 2>"exporting$n"
		exports+=" $seconds"
		cmp audit0 "audit$n"
		diff -r exported0 "exported$n"
		n=$((n + 1))
	done
	XDG_DATA_HOME=$PWD/pulled regild history pull -vv 2>pulling
	end_slow_way
	printf '%s\n' "$audits" "$exports" | tee /dev/fd/3
	printf '%s\n' "$audits" "$exports" | awk '$2 > 3 * $1 || $3 > 5 * $1 { exit 1 }'
	# The 100 paths come twice; 40 runs have 600 rows each, and 20,000 are asked for at once.
	[ "$(grep -c 'POST.*: 200' audited1)" -le 25 ]
	[ "$(grep -c 'POST.*: 200' exporting1)" = 5 ]
	# So are they for a pull, after the version and the list; then what audits found.
	[ "$(grep -c 'POST.*: 200' pulling)" = 6 ]
	REGILD_HISTORY=$PWD/pulled/regild/history.db regild history export pulled_out
	diff -r exported0 pulled_out
}
check audit/far far_away

# Two that send the same runs at once count once, and so does one who sends them again.
twice() {
	bench=$REGILD_BUILD/bench/history
	REGILD_HISTORY=$pair regild history | wc -l >before
	"$bench" "$pair" 100 110 &
	"$bench" "$pair" 100 110
	wait $!
	"$bench" "$pair" 105 108
	# Two that push, each having asked what is there before the other sends anything.
	mkdir -p data/regild
	"$bench" data/regild/history.db 107 115
	cp -r data again
	XDG_DATA_HOME=$PWD/again REGILD_HISTORY=$pair regild history push &
	XDG_DATA_HOME=$PWD/data REGILD_HISTORY=$pair regild history push
	wait $!
	[ "$(REGILD_HISTORY=$pair regild history | wc -l)" = $(($(cat before) + 15)) ]
	[ "$(sql 1 "SELECT count() FROM pair.series WHERE kind = 'golden' AND batch GLOBAL IN
		(SELECT batch FROM pair.current_runs WHERE id >= 100 AND id < 1000)")" = 300 ]
}
check writers/twice twice

# The manual's questions have the answers that a program finds in an exported history.
manual() {
	local n manual=clickhouse://${http[1]}/manual
	awk -v RS='[.]Bd -literal -offset 4n\n' 'NR > 1 { sub(/\n[.]Ed.*/, ""); print > ("query" NR - 1) }' \
		"$REGILD_TOP/man/regild-history.5"
	[ "$(echo query*)" = 'query1 query2 query3' ]
	REGILD_HISTORY=$manual regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" "$manual" 100 110
	"$REGILD_BUILD/bench/history" "$PWD/local.db" 100 110
	REGILD_HISTORY=$PWD/local.db regild history export files
	zstd -dcq files/*.zst >lines
	python3 "$REGILD_TOP/tests/cluster/answers.py" lines 10 test_0001 dev_dgx_h100 >wanted
	sed -i "s/steps, 100/steps, 10/; s/- 365 /- 3650 /; s/gpt3_mcore_te_tp1_pp2/test_0001/" query1
	for n in 1 2 3; do
		sed -i 's/FROM series/FROM manual.series/; s/FROM current_runs/FROM manual.current_runs/' query$n
		sql 1 "$(cat query$n)"
	done | awk -F '\t' '{ for (i = 1; i <= NF; i++) printf "%s%s", $i ~ /^-?[0-9]+[.][0-9e+-]+$/ ? sprintf("%.9g", $i) : $i,
		i < NF ? " " : "\n" }' >answers
	[ "$(wc -l <answers)" = 40 ]
	diff answers wanted
}
check manual manual

# ---- what is not whole ----

# What a shard has lost of runs, or a replica has not got yet, is noticed wherever runs are read. Whoever has it
# sends it again.
incomplete() {
	local n database=regild/history.db
	export REGILD_HISTORY=clickhouse://${http[1]}/short XDG_DATA_HOME=$PWD GITHUB_API_URL=http://127.0.0.1:1
	regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" $database 1 11
	as_settled $database
	regild history push
	regild history check | grep -qx '10 runs, 0 incomplete'
	# A backup that is too old.
	sql 2 'RENAME TABLE short.series_local TO short.before'
	sql 2 'CREATE TABLE short.series_local AS short.before'
	sql 2 'INSERT INTO short.series_local SELECT * FROM short.before WHERE run NOT IN (3, 4)'
	fails 4 '2 of 10 runs: incomplete here: a replica is behind, or data is lost' regild history check
	for n in 3 4; do grep -Eqx "run $n of .*: [1-9][0-9]? of 120 rows" said; done
	fails 4 'run 3: incomplete here: a replica is behind, or data is lost; left out' regild history show 3
	[ "$(wc -l <said)" = 1 ]
	fails 4 'run 4: incomplete here' regild history export exported
	XDG_DATA_HOME=$PWD/other fails 4 'run 3: ' regild history pull
	grep -qx 'added 8 runs, left out 2' said
	[ "$(env -u REGILD_HISTORY XDG_DATA_HOME="$PWD/other" regild history check)" = '8 runs, 0 incomplete' ]
	# An audit measures the others; it would send what it has here.
	XDG_DATA_HOME=$PWD/nothing fails 4 'run 4: incomplete here' regild audit --repo NVIDIA/Megatron-LM \
		--runs "$(seq -s , 10)" --export short.csv
	REGILD_HISTORY=$PWD/$database regild audit --repo NVIDIA/Megatron-LM --runs 1,2,5,6,7,8,9,10 --export local.csv
	cmp local.csv short.csv
	# What the server's audit found is later.
	sqlite3 "$database" "UPDATE verdicts SET made = '2026-03-01T00:00:01Z'"
	regild history push | grep -qx 'replaced 2, kept 8'
	regild history check | grep -qx '10 runs, 0 incomplete'
	XDG_DATA_HOME=$PWD/other regild history pull |
		grep -qx "added 2 runs, kept 8, new verdicts on $(sql 1 'SELECT count() FROM short.last_verdicts') series"
	REGILD_HISTORY=$PWD/other/regild/history.db regild audit --repo NVIDIA/Megatron-LM --runs "$(seq -s , 10)" --export pulled.csv
	REGILD_HISTORY=$PWD/$database regild audit --repo NVIDIA/Megatron-LM --runs "$(seq -s , 10)" --export all.csv
	cmp all.csv pulled.csv
}
check incomplete incomplete

# The manual's commands for a team's server, one after the other.
team() {
	mkdir data
	export XDG_DATA_HOME=$PWD/data
	new_repository
	"$REGILD_BUILD/bench/history" "$XDG_DATA_HOME/regild/history.db" 1 4
	sed -n '/^\.Ss A server for a team/,/^\.Ed/p' "$REGILD_TOP/man/regild-history.7" |
		sed -n '/^\.Bd/,$ {/^\./d;s/  *#.*//;p}' |
		sed "s|clickhouses://HOST|clickhouse://${http[1]}|; s/--workflow ci.yml --last 50/--repo NVIDIA\/Megatron-LM --runs 1,2,3/" >commands
	[ "$(wc -l <commands)" = 7 ]
	while read -r command; do
		$command >>said
	done <commands
	grep -qx 'added 3 runs' said
	grep -qx '3 runs, 0 incomplete' said
	grep -q '^noisy ' said
	grep -qx 'removed 3 runs, kept 0' said
	sql 1 'DROP DATABASE goldens'
}
check team team

# statement PATTERN: the manual's, of a database.
statement() {
	grep -E "^$1" "$REGILD_TOP/man/regild-history.7"
}

# The recipes of the manual: a backup, what a shard has lost put again out of it, and what is old removed.
backup() {
	local n table there=clickhouse://${http[1]}/goldens
	REGILD_HISTORY=$there regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" "$there" 1 11
	statement 'regild history merge (clickhouses:|backup)' | sed "s|clickhouses://HOST/goldens|$there|" >recipes
	[ "$(wc -l <recipes)" = 2 ]
	eval "$(sed -n 1p recipes)" | grep -qx 'added 10 runs'
	sql 2 'RENAME TABLE goldens.series_local TO goldens.before'
	sql 2 'CREATE TABLE goldens.series_local AS goldens.before'
	REGILD_HISTORY=$there fails 4 'incomplete' regild history check
	eval "$(sed -n 2p recipes)" | grep -qx 'replaced 10'
	REGILD_HISTORY=$there regild history check | grep -qx '10 runs, 0 incomplete'
	# What a killed writer has sent, to the table that has it at once.
	sql 1 "INSERT INTO goldens.series_local (repository, run, file, kind, metric, batch) VALUES ('r', 1, 'f', 'golden', '', 7)"
	statement 'ALTER TABLE .* DELETE WHERE' | carry_out 1 2
	eventually eval '[ "$(sql 1 "SELECT count() FROM goldens.series WHERE batch = 7")" = 0 ]'
	# Months of runs, and of what audits found.
	for n in 1 2; do
		sql 1 "INSERT INTO goldens.runs_local (repository, id, when_text, batch) VALUES ('r', $n, '2025-0$n-02T00:00:00Z', $n)"
		sql 1 "INSERT INTO goldens.series_local (repository, run, when_text, batch) VALUES ('r', $n, '2025-0$n-02T00:00:00Z', $n)"
		for table in verdicts breaks; do
			sql 1 "INSERT INTO goldens.${table}_local (repository, file, metric, made) VALUES ('r', 'f', '$n', '2025-0$n-02T00:00:00Z')"
		done
	done
	statement 'ALTER TABLE .* DROP PARTITION' | sed 's/$/;/' | carry_out 1 2
	for table in verdicts breaks; do [ "$(sql 1 "SELECT metric FROM goldens.$table")" = 2 ]; done
	for table in runs series; do [ "$(sql 1 "SELECT DISTINCT batch FROM goldens.$table WHERE repository = 'r'")" = 2 ]; done
	REGILD_HISTORY=$there regild history check | tee checked
	grep -q '^11 runs' checked
	# What is said not to be tried cannot be.
	statement 'ALTER TABLE .* MODIFY TTL' >untried
	[ "$(wc -l <untried)" = 2 ]
	while read -r table; do fails 22 "Syntax error" sql 1 "$table"; done <untried
	for n in 1 2; do sql $n 'DROP DATABASE goldens'; done
}
check backup backup

# ---- replicas ----

# as_copied NUMBER: each shard has a part of so many rows of series, and its two servers the same.
as_copied() {
	local n rows=()
	for n in 1 2 3 4; do rows[n]=$(sql $n 'SELECT count() FROM copies.series_local'); done
	[ "${rows[1]}" = "${rows[2]}" ] && [ "${rows[3]}" = "${rows[4]}" ] && [ $((rows[1] + rows[3])) = "$1" ] &&
		[ "${rows[1]}" -gt 0 ] && [ "${rows[3]}" -gt 0 ]
}

# has_deleted N DATABASE: the server has done what it does in the background.
has_deleted() {
	[ "$(sql "$1" "SELECT count() FROM system.mutations WHERE database = '$2' AND is_done = 0")" = 0 ]
}

# says WHOSE TEXT: a check at that server comes to it, in a while.
says() {
	eventually eval "env REGILD_HISTORY=$1 regild history check | grep -qx '$2'"
}

# With a coordinator each row is on two servers: one that is behind is noticed, and one that is dead is done without.
# What a shard, both its servers, has lost since an older backup is put again out of what somebody else has.
replicas() {
	local n address=clickhouse://${http[1]}/copies other=clickhouse://${http[2]}/copies last
	last=clickhouse://${http[4]}/copies
	start_server 3
	start_server 4
	start_zookeeper
	REGILD_HISTORY=$address regild history init --cluster copies --replicated | carry_out 1 2 3 4
	"$REGILD_BUILD/bench/history" "$address" 1 4
	eventually as_copied 360
	for n in "$other" "$last"; do says "$n" '3 runs, 0 incomplete'; done
	# Its own replica is asked first.
	sql 2 'SYSTEM STOP FETCHES copies.series_local'
	"$REGILD_BUILD/bench/history" "$address" 4 6
	says "$other" '5 runs, 2 incomplete'
	statement 'SELECT .*system.replicas' | sed 's/goldens/copies/' >behind
	eventually eval 'sql 2 "$(cat behind)" | grep -q "^series_local.[0-9]*.[1-9]"'
	REGILD_HISTORY=$other fails 4 'incomplete here: a replica is behind' regild history show 5
	sql 2 'SYSTEM START FETCHES copies.series_local'
	says "$other" '5 runs, 0 incomplete'
	kill_server 2
	kill_server 4
	"$REGILD_BUILD/bench/history" "$address" 6 8
	REGILD_HISTORY=$address regild history check | grep -qx '7 runs, 0 incomplete'
	start_server 2
	start_server 4
	eventually as_copied 840
	for n in "$other" "$last"; do says "$n" '7 runs, 0 incomplete'; done
	regild history merge "$address" --into backup.db | grep -qx 'added 7 runs'
	sql 3 'ALTER TABLE copies.series_local DELETE WHERE run IN (6, 7)'
	for n in "$address" "$last"; do says "$n" '7 runs, 2 incomplete'; done
	regild history merge backup.db --into "$other" | grep -qx 'replaced 2, kept 5'
	for n in "$address" "$last"; do says "$n" '7 runs, 0 incomplete'; done
	statement 'ALTER TABLE .* DELETE WHERE' | sed 's/goldens/copies/g' | carry_out 1 3
	for n in 1 2 3 4; do eventually has_deleted $n copies; done
	says "$last" '7 runs, 0 incomplete'
	for n in 1 2 3 4; do sql $n 'DROP DATABASE copies'; done
	for n in 3 4; do kill_server $n; done
	end_zookeeper
}
skipped=0
if zookeeper_is_there; then
	check replicas replicas
else
	echo "cluster/replicas: zookeeper is not installed"
	skipped=1
fi

# ---- servers that fail ----

# Every run that is listed has all its goldens, each with its metrics.
whole() {
	[ "$(sql 1 "SELECT count() FROM (SELECT batch, count() AS rows FROM pair.series WHERE kind != 'golden'
		AND batch GLOBAL IN (SELECT batch FROM pair.current_runs WHERE id >= 2000) GROUP BY batch)
		WHERE rows != 100")" = 0 ]
	[ "$(sql 1 'SELECT countIf(goldens != 20) FROM pair.current_runs WHERE id >= 2000')" = 0 ]
}

# Is the second server being sent rows for a table? It is asked often: an INSERT is short.
is_taking() {
	local _
	for _ in {1..20}; do
		[ "$(sql 2 "SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO %$1_local%'
			AND query NOT LIKE '%processes%'")" = 0 ] || return 0
	done
	return 1
}

# Killed while runs are written: after it is back, each run that is listed is whole.
killed_while_written() {
	local table status
	"$REGILD_BUILD/bench/history" "$pair" 2000 2100
	for table in series series runs; do
		"$REGILD_BUILD/bench/history" "$pair" 2050 30000 2>said &
		eventually is_taking "$table"
		kill_server 2
		status=0
		wait $! || status=$?
		cat said
		[ "$status" = 1 ]
		grep -q "clickhouse://${http[1]}: " said
		start_server 2
		whole
		sql 1 "SELECT count(), max(id) FROM pair.current_runs WHERE id >= 2000"
	done
	# Sent again, each counts once.
	"$REGILD_BUILD/bench/history" "$pair" 2000 2250
	whole
	[ "$(sql 1 'SELECT count() FROM pair.current_runs WHERE id >= 2000 AND id < 2250')" = 250 ]
}
check killed/written killed_while_written

# Runs that a server cannot take stay in the local history until it can.
kept_here() {
	local home=$HOME
	mkdir home
	export HOME=$PWD/home
	sql 1 'CREATE DATABASE away'
	REGILD_HISTORY=clickhouse://${http[1]}/away regild history init --cluster pair | carry_out 1 2
	# It can be read, and not be written.
	sql 2 'RENAME TABLE away.series_local TO away.hidden'
	fails 3 "kept in the local history, until the next audit" env REGILD_HISTORY="clickhouse://${http[1]}/away" $audit -q
	[ "$(env -u REGILD_HISTORY regild history | wc -l)" = 6 ]
	[ "$(sql 1 'SELECT count() FROM away.current_runs')" = 0 ]
	fails 3 '6 runs, from 1 to 6, are not sent: clickhouse://' env REGILD_HISTORY="clickhouse://${http[1]}/away" \
		regild history push
	lacks added said
	[ "$(sql 1 'SELECT count() FROM away.current_runs')" = 0 ]
	sql 2 'RENAME TABLE away.hidden TO away.series_local'
	export REGILD_HISTORY=clickhouse://${http[1]}/away GITHUB_API_URL=http://127.0.0.1:1
	outputs sent
	diff -r "$reports" sent
	[ "$(sql 1 'SELECT count() FROM away.current_runs')" = 6 ]
	HOME=$home
}
check killed/kept kept_here

has_asked() {
	[ "$(grep -c 'POST.*: 200' said)" -ge "$1" ]
}

# Killed while an audit reads: it says so and writes nothing; the next one is as if nothing had been.
killed_while_audited() {
	local status=0
	export REGILD_HISTORY=$pair
	export GITHUB_API_URL=http://127.0.0.1:1
	regild audit -vv --repo NVIDIA/Megatron-LM --runs "$many" --csv partial --model model >said 2>&1 &
	# It reads goldens: the tables' version, the runs, twice, and their paths are known by then.
	eventually has_asked 7
	kill_server 2
	wait $! || status=$?
	cat said
	[ "$status" = 3 ]
	grep -q "^regild: clickhouse://${http[1]}" said
	[ ! -e partial ]
	[ ! -e model ]
	start_server 2
	measure after
	diff -r "$SCRATCH/work/audit/many/local" after
}
check killed/audited killed_while_audited

# A server, or a shard, that does not answer is not waited for without an end.
slow_server() {
	local n status=0
	for n in 1 2; do
		signal_server "$n" STOP
		REGILD_STALL_MS=300 fails 3 'no byte for 0.3 s' env REGILD_HISTORY="$pair" regild history || status=1
		# It works at that one still, and gets no second.
		[ "$n" = 1 ] || lacks 'given up' said || status=1
		signal_server "$n" CONT
	done
	eventually answers 1
	eventually answers 2
	REGILD_HISTORY=$pair regild history
	return $status
}
check slow slow_server

wrong_password() {
	fails 3 'the user or the password was refused' env REGILD_HISTORY="$one" CLICKHOUSE_PASSWORD=wrong-one regild -vv history
	lacks 'wrong-one' said
	unset CLICKHOUSE_USER CLICKHOUSE_PASSWORD
	fails 3 'the user or the password was refused' env REGILD_HISTORY="$one" regild history
	printf 'machine 127.0.0.1 login %s password "it'\''s a \\\\secret"\n' "$CLUSTER_USER" >"$HOME/.netrc"
	REGILD_HISTORY=$one regild history
	rm "$HOME/.netrc"
}
check password wrong_password

# as_before TABLE…: makes the server's, and those of the database "old", of the version before.
as_before() {
	local table
	for table in last_verdicts last_breaks "$@"; do echo "DROP TABLE IF EXISTS old.$table;"; done
	echo 'DROP TABLE IF EXISTS old.schema_version;'
	echo 'CREATE VIEW old.schema_version AS SELECT toUInt32(3) AS version;'
}

# Who may only read lists, shows, audits, asks and exports; who has one database makes its tables,
# migrates and prunes it: the manual's users.
roles() {
	export REGILD_HISTORY=$pair GITHUB_API_URL=http://127.0.0.1:1
	CLICKHOUSE_USER=reader outputs reader
	diff -r "$reports" reader
	CLICKHOUSE_USER=reader regild history | grep -q '^1  github.com/NVIDIA'
	CLICKHOUSE_USER=reader regild history show 1 >shown
	grep -q 'lm loss' shown
	CLICKHOUSE_USER=reader regild history check | grep -q ', 0 incomplete'
	CLICKHOUSE_USER=reader regild history ask flaky >asked
	CLICKHOUSE_USER=reader regild history export exported
	"$REGILD_BUILD/bench/history" "$PWD/more.db" 500 502
	CLICKHOUSE_USER=reader fails 3 'readonly' regild history merge more.db
	export REGILD_HISTORY=clickhouse://${http[1]}/goldens CLICKHOUSE_USER=writer
	sql 1 'CREATE DATABASE goldens'
	regild history init
	regild history merge more.db | grep -qx 'added 2 runs'
	as_before verdicts breaks | sed 's/old[.]/goldens./' | carry_out 1
	regild history migrate
	regild history prune --keep 400d 2>&1 | grep -q 'deletes what 2 runs had'
	fails 3 'Access denied to database other' env REGILD_HISTORY="clickhouse://${http[1]}/other" regild history init
	CLICKHOUSE_USER=admin REGILD_HISTORY=clickhouse://${http[1]}/other regild history init
	CLICKHOUSE_USER=reader fails 3 'readonly' env REGILD_HISTORY="clickhouse://${http[1]}/another" regild history init
	sql 1 'DROP DATABASE goldens'
}
check roles roles

# As many queries as the first server has begun.
queries() {
	sql 1 "SELECT value FROM system.events WHERE event = 'Query'"
}

# With TLS everything is as without; to a server that is not who it should be, nothing is sent.
with_tls() {
	local before tls=clickhouses://${https[1]}
	unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
	before=$(queries)
	fails 3 'CURL_CA_BUNDLE may name the certificates of authorities' env REGILD_HISTORY="$tls/pair" regild -vv history
	export SSL_CERT_FILE=$CLUSTER/ca.pem
	fails 3 "target host name '127.0.0.1'; use a name that the server's certificate has" \
		env REGILD_HISTORY="${tls/localhost/127.0.0.1}/pair" regild -vv history
	fails 3 "given up after 2 tries: its version: http://${https[1]}/" \
		env REGILD_HISTORY="clickhouse://${https[1]}/pair" regild history
	grep -q 'clickhouse:// is for a server.s http_port, clickhouses:// for its https_port' said
	# It may wait for the end of a line in what TLS begins with.
	REGILD_STALL_MS=1000 fails 3 'clickhouse:// is for' env REGILD_HISTORY="clickhouses://${http[1]}/pair" regild history
	[ "$(queries)" = $((before + 1)) ]
	REGILD_HISTORY=$tls/tls regild history init --cluster pair | carry_out 1 2
	REGILD_HISTORY=$tls/tls outputs tls
	diff -r "$reports" tls
	[ "$(sql 1 'SELECT count() FROM tls.current_runs')" = 6 ]
}
check tls with_tls

# status WAIT USER STATEMENT: HTTP's, and the answer is in the file WAIT; with wait_end_of_query=WAIT.
status() {
	curl -sS -o "$1" -w '%{http_code}' --max-time 60 -u "$2:$CLUSTER_PASSWORD" \
		"http://${http[1]}/?database=late&wait_end_of_query=$1" --data-binary "$3 FORMAT RowBinary"
}

# late USER STATEMENT TEXT: it fails with that after a 200, unless the server is told to wait.
late() {
	[ "$(status 0 "$1" "$2")" = 200 ]
	[ "$(wc -c <0)" -gt 1000000 ]
	tail -c 1000 0 | grep -qa "$3"
	[ "$(status 1 "$1" "$2")" = 500 ]
	grep -q "$3" 1
}

# An error that comes after the first rows is one, and nothing is written.
fails_late() {
	local values
	export REGILD_HISTORY=clickhouse://${http[1]}/late GITHUB_API_URL=http://127.0.0.1:1
	regild history init
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 5000 5300
	# More rows than a user may have, after they were sorted.
	late limited 'SELECT * FROM series ORDER BY when_text, run, batch' 'Limit for result exceeded'
	fails 3 'Limit for result exceeded' env CLICKHOUSE_USER=limited regild audit --repo NVIDIA/Megatron-LM \
		--runs "$(seq -s , 5000 5299)" --csv partial --model model
	[ ! -e partial ]
	[ ! -e model ]
	# Bytes that the disk changed, of the last month; its part is the only one, and not merged any more.
	sql 1 'OPTIMIZE TABLE late.series FINAL'
	values=$CLUSTER/1/data/data/late/series/$(sql 1 "SELECT name FROM system.parts
		WHERE active AND database = 'late' AND table = 'series' ORDER BY partition DESC LIMIT 1")/values.bin
	printf 'changed' | dd of="$values" bs=1 seek=$(($(stat -c %s "$values") / 2)) conv=notrunc
	late "$CLUSTER_USER" 'SELECT * FROM series' "Checksum doesn't match"
	fails 3 "Checksum doesn't match" regild audit --repo NVIDIA/Megatron-LM --runs 5295,5296,5297,5298,5299 --csv partial
	[ ! -e partial ]
	# The days before it are written, each as a whole.
	fails 4 "Checksum doesn't match" regild history export exported
	zstd -tq exported/*
	[ -z "$(ls -A exported | grep -v '^20..-..-..[.]jsonl[.]zst$')" ]
}
check late fails_late

wrong_version() {
	sql 1 'CREATE DATABASE newer'
	sql 1 'CREATE VIEW newer.schema_version AS SELECT toUInt32(7) AS version'
	export REGILD_HISTORY=clickhouse://${http[1]}/newer
	fails 3 "the tables of 'newer' are of version 7, and this regild knows version 4 alone" regild history
	fails 3 "the tables of 'newer' are of version 7" regild history init
	fails 3 "the tables of 'newer' are of version 7" $audit
}
check version wrong_version

# Tables of the version before are brought up to date, also where that was broken off after any statement.
migrated() {
	local requests
	export REGILD_HISTORY=clickhouse://${http[1]}/old
	regild history init
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 1 4
	regild history check >wanted
	for ((requests = 2; ; requests++)); do
		as_before verdicts breaks | carry_out 1
		fails 3 "the tables of 'old' are of version 3; 'regild history migrate' brings them to version 4" regild history
		fails 3 'are of version 3' regild history init
		slow_way 1 "$requests"
		! REGILD_HISTORY=clickhouse://$slow/old REGILD_STALL_MS=500 regild history migrate || break
		regild history migrate
		regild history check | diff wanted -
		regild history ask last-audit
		end_slow_way
	done
	end_slow_way
	[ "$requests" -ge 14 ]
	regild history migrate
	regild history check | diff wanted -
}
check version/migrated migrated

# On a cluster each server is an operator's: those that are done wait for the others.
migrated_cluster() {
	export REGILD_HISTORY=clickhouse://${http[1]}/old
	sql 1 'DROP DATABASE old'
	regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 1 4
	regild history check >wanted
	as_before verdicts breaks verdicts_local breaks_local | carry_out 1 2
	fails 2 "spread over the cluster 'pair'" regild history migrate
	regild history migrate --cluster pair >statements
	carry_out 1 <statements
	carry_out 1 2 <statements
	regild history check | diff wanted -
	regild history ask last-audit
}
check version/cluster migrated_cluster

# Where it is comes from the user, and never with a clone.
whose_address() {
	new_repository
	printf '[regild]\n\thistory = %s\n\thistoryInsecure = true\n' "$pair" >.regild
	[ -z "$(HOME=$PWD regild history 2>said)" ]
	grep -q "'regild.history' names where runs are kept, which must not come with a clone" said
	git config regild.history "$pair"
	regild history | grep -q '^1  github.com/NVIDIA'
	fails 3 'refused without TLS' env REGILD_HISTORY=clickhouse://192.0.2.1/a regild history
	fails 2 'has no user or password' env REGILD_HISTORY="clickhouse://$CLUSTER_USER:it@${http[1]}/a" regild history
}
check address whose_address

nobody_there() {
	kill_server 1
	fails 3 "clickhouse://${http[1]}: given up after 2 tries: " env REGILD_HISTORY="$pair" regild history
	start_server 1
	kill_server 2
	fails 3 "another server of its cluster does not answer: ${http[2]%:*}:$((${http[2]#*:} + 1))" \
		env REGILD_HISTORY="$pair" regild history
	start_server 2
	REGILD_HISTORY=$pair regild history
}
check killed/server nobody_there

# has_rows NUMBER: of all series, in the parts of both servers.
has_rows() {
	local n rows=0
	for n in 1 2; do
		rows=$((rows + $(sql $n "SELECT sum(rows) FROM system.parts WHERE active AND database = 'pruned'
			AND table = 'series_local'")))
	done
	[ "$rows" = "$1" ]
}

# Old runs go, and what they had goes from the disk of each server that is told so; so does what was put again since.
prune_disk() {
	local now=$((($(date +%s) - 1700000000) / 25200))
	export REGILD_HISTORY=clickhouse://${http[1]}/pruned
	regild history init --cluster pair | carry_out 1 2
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 1 31
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" $((now - 10)) "$now"
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" $((now - 10)) $((now - 5))
	has_rows $((45 * 20 * 6))
	regild history prune --keep 400d --dry-run | grep -qx 'would remove 30 runs, keep 10'
	has_rows $((45 * 20 * 6))
	regild history prune --keep 400d >said
	sed -n 1p said | grep -qx 'removed 30 runs, kept 10'
	sed -n 2p said | grep -q "^-- to run on each server of the cluster 'pair': 127.0.0.1:"
	[ "$(wc -l <said)" = 3 ]
	tail -n 1 said | carry_out 1 2
	eventually has_rows $((10 * 20 * 6))
	[ "$(regild history | wc -l)" = 10 ]
	regild history check | grep -qx '10 runs, 0 incomplete'
	# Nothing is left to delete.
	[ "$(regild history prune --keep 400d)" = 'removed 0 runs, kept 10' ]
	# A server alone does it at once.
	export REGILD_HISTORY=clickhouse://${http[1]}/alone
	regild history init
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 1 3
	regild history prune --keep 400d 2>&1 |
		grep -qx "regild: $REGILD_HISTORY: deletes what 2 runs had that were removed or put again"
	eventually eval '[ "$(sql 1 "SELECT count() FROM alone.series")" = 0 ]'
}
check prune prune_disk

# A push takes runs that differ in values alone as the same; a merge of the local file tells them apart.
other_values() {
	export REGILD_HISTORY=clickhouse://${http[1]}/values XDG_DATA_HOME=$PWD
	regild history init
	"$REGILD_BUILD/bench/history" "$REGILD_HISTORY" 1 4
	"$REGILD_BUILD/bench/history" regild/history.db 1 4
	python3 -c 'import sqlite3
with sqlite3.connect("regild/history.db") as db: db.execute("UPDATE series SET metric = \"other\" WHERE metric = \"lm loss\" AND \
	golden IN (SELECT golden FROM goldens JOIN runs USING (run) WHERE id = 2)")'
	regild history push | grep -qx 'nothing new, kept 3'
	regild history merge regild/history.db | tee merged
	grep -Eqx 'replaced 1, kept 2|nothing new, kept 3 \(1 later or with more\)' merged
	regild history merge "$REGILD_HISTORY" --into regild/history.db
	regild history merge regild/history.db "$REGILD_HISTORY" --into both.db | grep -qx 'added 3 runs, kept 3'
}
check values other_values

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
