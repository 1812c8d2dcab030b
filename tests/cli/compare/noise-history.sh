# SPDX-License-Identifier: Apache-2.0
# A team has its runs in a history: a comparison is judged by them as by the noise model that an audit of them writes.
mkdir -p fixture/runs
for id in 1 2 3 4 5; do
	cat >"fixture/runs/$id.json" <<-JSON
		{"repository": "o/n", "run": {"id": $id, "created_at": "2026-03-0${id}T04:00:00Z", "head_branch": "main"},
		 "jobs": [{"name": "speed"}],
		 "artifacts": [{"name": "speed", "files": {"out/times.csv": "name,time\na,1\nb,20$id\n"}}]}
	JSON
done
git init -q -b main
cat >.regild <<'CONFIG'
[regild]
	files = *.csv
[source "speed"]
	artifact = speed
	members = out/{file}
	target = goldens/{file}
CONFIG
mkdir goldens
printf 'name,time\na,1\nb,203\n' >goldens/times.csv
git add . && git commit -qm goldens
printf 'name,time\na,1\nb,300\n' >goldens/times.csv
git remote add origin https://github.com/o/n
start_hub "$PWD/fixture"
regild audit -q --repo o/n --runs 1,2,3,4,5 --model model.db --csv audit.csv
stop_hub
history=${XDG_DATA_HOME:-$HOME/.local/share}/regild/history.db
by() {
	regild compare -q --csv - --columns metric,verdict,verdict_runs,verdict_text --repo o/n "$@"
}
by --noise model.db
by --noise "$history"
by --noise "$history" --noise-last 2
by --noise "$history" --noise-runs 1,2 --noise-runs 4
by --noise "$history" --noise-branch main | tail -n 1
echo '# as a setting'
git config regild.noise "$history"
by --noise-last 3
git config --unset regild.noise
echo '# no model takes its place'
try regild audit -q --repo o/n --runs 1,2,3 --model "$history"
echo '# what it cannot be'
cp "$history" other.db
try regild compare --repo o/n --noise other.db --noise-branch never
try regild compare --repo o/n --noise other.db --noise-runs 7
try regild compare --repo o/m --noise other.db
try regild compare --noise model.db --noise-last 3
try regild compare --noise-last 3
head -c 5000 model.db >cut.db
try regild compare --noise cut.db
sqlite3 model.db 'PRAGMA application_id = 7'
try regild compare --noise model.db
printf 'SQLite format 3' >short.db
try regild compare --noise short.db
# exit: 0
