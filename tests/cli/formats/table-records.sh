# SPDX-License-Identifier: Apache-2.0
# Tables whose first column names no record: a key is found, or records are paired by position or by what is in them,
# and the output says which.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.csv *.json\n' >.regild
head='"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%%)","Unit","Param: size"\n'
printf "$head"'"a.sort","thrpt",1,5,100.5,2.5,"ops/s",10\n"a.sort","thrpt",1,5,50.25,1.5,"ops/s",20\n"a.find","thrpt",1,5,8.5,0.5,"ops/s",10\n' >jmh.csv
cat >jmh.json <<'EOF'
[{"jmhVersion": "1.37", "benchmark": "a.sort", "mode": "thrpt", "threads": 1, "params": {"size": "10"}, "primaryMetric": {"score": 100.5, "scoreUnit": "ops/s"}},
 {"jmhVersion": "1.37", "benchmark": "a.sort", "mode": "thrpt", "threads": 1, "params": {"size": "20"}, "primaryMetric": {"score": 50.25, "scoreUnit": "ops/s"}}]
EOF
printf 'y_true,y_pred\n1,1.5\n0,0.25\n1,0.5\n' >labels.csv
printf 'y_true,y_pred\n1,1.5\n0,0.25\n1,0.5\n0,2\n' >shorter.csv
printf '[{"city": "A", "temp": 10.5},\n {"city": "A", "temp": 20.5}, {"city": "B", "temp": 8}]\n' >orient.json
printf 'case,t\na,1\nb,2\n' >grows.csv
printf ',v\na,1\n,2\n' >blank.csv
printf 'kernel,size,t\na,10,1.5\nb,10,2.5\n' >sizes.csv
commit
echo '== each row is by hand'
# a.sort with 20 goes from 50.25 to 40.2: 0.2 over 3 records; its error from 1.5 to 3: -1 over 3. The records are in another order.
printf "$head"'"a.find","thrpt",1,5,8.5,0.5,"ops/s",10\n"a.sort","thrpt",1,5,40.2,3,"ops/s",20\n"a.sort","thrpt",1,5,100.5,2.5,"ops/s",10\n' >jmh.csv
sed -i 's/50.25/40.2/' jmh.json                        # 0.2 over 2
sed -i 's/0.25/0.5/' labels.csv                        # y_pred: -1 over 3
printf 'y_true,y_pred\n0,0.25\n1,0.75\n0,2\n' >shorter.csv # 1,1.5 went; 0.5 -> 0.75: -0.5 over 3
sed -i 's/20.5/41/' orient.json                        # -1 over 3
printf 'case,t\na,1\nb,2\nb,4\n' >grows.csv           # by what is in them: nothing moved
printf ',v\na,1\n,3\n' >blank.csv                      # -0.5 over 2
# The new side needs the size, too, and so the old side has it: b from 2.5 to 5 is -1 over 2.
printf 'kernel,size,t\na,10,1.5\na,20,3.5\nb,10,5\n' >sizes.csv
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff,changes,first_diff 2>/dev/null
echo '== the output says how'
regild compare 2>&1 >/dev/null | grep warning | sort
regild compare 2>/dev/null | grep 'record.*added\|record.*removed' | head -9
echo '== a key that someone names is the key'
printf '[table "labels.csv"]\n\tkey = y_true\n' >>.regild
try regild check labels.csv
echo '== lists below a member, JSON Lines, and names that are there twice, by hand'
mkdir a b
list() { # FILE OLD NEW: of list, which may be of a member
	echo "$2" >a/$1
	echo "$3" >b/$1
}
# n = 1 goes from 2.5 to 5: -1 over 2.
list member.json '{"version": 1, "benchmarks": [{"id": "A", "params": {"n": "1"}, "score": 2.5}, {"id": "A", "params": {"n": "2"}, "score": 4}]}' \
	'{"version": 1, "benchmarks": [{"id": "A", "params": {"n": "2"}, "score": 4}, {"id": "A", "params": {"n": "1"}, "score": 5}]}'
# y goes from 4 to 3: 0.25 over 2.
list twice.json '[{"name": "a", "n": "x", "v": 1}, {"name": "a", "n": "y", "v": 4}]' '[{"name": "a", "n": "y", "v": 3}, {"name": "a", "n": "x", "v": 1}]'
list keys.jsonl '{"k": "x", "v": 1}
{"k": "y", "v": 4}' '{"k": "y", "v": 3}
{"k": "x", "v": 1}'
list place.jsonl '{"t": 1.5, "v": 1}
{"t": 1.5, "v": 4}' '{"t": 1.5, "v": 1}
{"t": 1.5, "v": 3}'
for file in member.json twice.json keys.jsonl place.jsonl; do
	echo "= $file"
	regild compare -q --csv - --columns metric,n_steps,avg_rel_diff a/$file b/$file
	regild compare a/$file b/$file 2>&1 >/dev/null | grep -o 'records are paired.*'
done
