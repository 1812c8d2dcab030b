# SPDX-License-Identifier: Apache-2.0
# Tables by [source "NAME"] with merge, columns and round: what the golden is like stays, compare says what an update
# then writes, a passing job's shard is taken with the failing one's, and what does not go together is named.
export GITHUB_REPOSITORY=o/n
mkdir fixture
run() {
	cat >fixture/run.json <<-JSON
		{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [{"name": "speed (9)", "conclusion": "success"}, {"name": "speed (10)", "conclusion": "failure"}],
		 "artifacts": [
		  {"name": "speed-10-of-10", "files": {"out/times.csv": "$1"}},
		  {"name": "speed-9-of-10", "files": {"out/times.csv": "$2"}}]}
	JSON
	start_hub fixture
}
ten='name,time,host,count\nlinear,0.123456789,ci-a,5\nconv,20.5,ci-a,1234567\n'
nine='name,time,host,count\nsoftmax,3.00000001,ci-b,7\nnorm,1.5,ci-b,8\n'

new_repository
cat >.regild <<'CONFIG'
[source "speed"]
	artifact = speed-{shard}-of-{any}
	job = speed ({shard})
	members = out/{file}
	target = goldens/{file}
	merge = rows
	columns = name,count,time
	round = 4
CONFIG
mkdir -p goldens
printf '"name","time","count"\r\n\r\n"conv",  20.50,"1234567"\r\n\r\n"gone",1.0,"1"\r\n\r\n"softmax",3.00000,"7"\r\n\r\n' >goldens/times.csv
echo fixture >.gitignore
commit
run "$ten" "$nine"
regild download --run 7 --only-failing -v -o ../staged
cat ../staged/files/speed/*/goldens/times.csv
grep -o '"rewrite": {[^}]*}' ../staged/manifest.json | tr -d ' \n'
echo
echo '# against the golden in git'
regild compare -q --csv - HEAD ../staged
try regild update ../staged -q --dry-run
try regild update ../staged -q
regild update ../staged -q --allow shrink
od -c goldens/times.csv
regild compare -q --csv -
regild update ../staged -q
echo '# undone'
regild undo -q
git status --short

echo '# a golden that is not there yet is as its shards are'
git rm -q goldens/times.csv
git commit -qm 'no golden'
regild update ../staged -q
cat goldens/times.csv
regild undo -q

echo '# what does not go together'
stop_hub
run "$ten" 'name,time,count\nlinear,0.9,5\n'
try regild download --run 7 --all -o ../bad
stop_hub
run "$ten" 'name,time,count\nlinear,0.123456789,5,6\n'
try regild download --run 7 --all -o ../bad
stop_hub
run "$ten" 'name,count\nlinear,5\n'
try regild download --run 7 --all -o ../bad
git config regild.source.speed.columns name,count
try regild download --run 7 --all -q -o ../bad
stop_hub
run "$ten" 'time,name,host,count\n0.1,linear,ci-b,1\n'
git config regild.source.speed.columns ''
try regild download --run 7 --all -o ../bad
git config --unset regild.source.speed.columns
sed -i '/columns/d' .regild
echo '[table "*.csv"] key = name' >>.regild
try regild download --run 7 --all -o ../bad
stop_hub
run "$ten" 'name,tims,host,count\nlinear,0.1,ci-b,1\n'
try regild download --run 7 --all -q -o ../bad

echo '# without merge: two artifacts with the same rounded table, and a conflict'
git reset -q --hard
sed -i '/merge/d' .regild
stop_hub
run 'name,count,time\nlinear,1,1.00001\n' 'name,count,time\nlinear,1,1.00002\n'
try regild download --run 7 --all -o ../alike
cat ../alike/files/speed/*/goldens/times.csv
stop_hub
run 'name,count,time\nlinear,1,1.00001\n' 'name,count,time\nlinear,1,1.2\n'
try regild download --run 7 --all -o ../two

echo '# one column alone, of a table that is copied; in one without a header, one metric'
cat >.regild <<'CONFIG'
[source "speed"]
	artifact = speed-9-*
	members = out/{file}
	target = goldens/{file}
[table "times.csv"]
	header = no
	names = name,metric,value,tolerance
	metric = metric
	value = value
	tolerance = tolerance
CONFIG
mkdir -p goldens
printf 'add,count,100,0.1\n\nadd,time,1.50,0.1\n\nmul,count,7,0.1\n' >goldens/times.csv
commit
stop_hub
run '' 'add,time,2.5,0.2\nadd,count,101,0.2\nnew,count,1,0.1\n'
regild download --run 7 --all -q -o ../long
regild update ../long -q --metric count
git diff --no-ext-diff -U0 | grep '^[-+]'
git reset -q --hard
try regild update ../long -q --metric tolerance
printf 'add,count,100,0.1,2\n' >goldens/times.csv
git commit -qam 'broken'
try regild update ../long -q --metric count

echo '# what does not make sense'
git reset -q --hard
git config regild.source.speed.round 0
try regild download --run 7 --all
git config regild.source.speed.round 6
git config regild.source.speed.merge columns
try regild download --run 7 --all
