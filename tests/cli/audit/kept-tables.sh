# SPDX-License-Identifier: Apache-2.0
# The history knows a table's records by their keys: runs of CI that write them in another order, or lack some, are
# measured record by record.
mkdir -p fixture/runs
run() {
	cat >"fixture/runs/$1.json" <<-JSON
		{"repository": "o/n", "run": {"id": $1, "created_at": "2026-03-0${1}T04:00:00Z", "head_branch": "main"},
		 "jobs": [{"name": "speed"}], "artifacts": [{"name": "speed", "files": {"out/times.csv": "$2"}}]}
	JSON
}
run 1 'name,s,time\na,pass,1\nb,pass,200\n'
run 2 'name,s,time\nb,pass,210\na,pass,1\n'
run 3 'name,s,time\nc,pass,7\nb,pass,205\na,pass,1\n'
cat >.regild <<'CONFIG'
[regild]
	files = *.csv
[source "speed"]
	artifact = speed
	members = out/{file}
	target = goldens/{file}
CONFIG
git init -q
start_hub "$PWD/fixture"
regild audit -q --repo o/n --runs 1,2,3 --model model.db --csv -
stop_hub
sqlite3 model.db 'SELECT file, metric, runs_of, runs, n_steps, first_step, steps, records FROM series JOIN contents USING (series)'
regild history show 2
regild history show 3 | tail -n 3
