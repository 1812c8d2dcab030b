# SPDX-License-Identifier: Apache-2.0
# Each record of PyTorch's expected_results.csv has a tolerance of its own: a gate holds it, and a report says
# which record is over it.
new_repository
cat >.regild <<'EOF'
[regild]
	root = .
	files = *.csv
[table "expected_results.csv"]
	header = no
	names = name,metric,value,noise
	key = name
	metric = metric
	value = value
	tolerance = noise
EOF
write() {
	printf 'add,instructions,%s,0.015\n\nsum,instructions,%s,0.1\n\nmm,instructions,%s,\n' "$@" >expected_results.csv
}
write 1000 200 50
commit
echo '# one record is over its tolerance, another one moved further within its own'
write 1020 210 90
regild compare -v
echo '# each gate holds it'
try regild compare -q --csv ../rows.csv --fail-above 10
try regild compare -q --csv ../rows.csv --fail-on lost
regild compare -v --fail-on tolerance,lost --json - >../gate.json || echo "exit code $?"
checked_json compare <../gate.json >/dev/null
sed -n '/"gate"/,/^ }/p' ../gate.json
regild compare -q --csv ../rows.csv --markdown - | grep 'over its tolerance'
regild compare -q --csv ../rows.csv --annotate
printf '[check "own"]\n\tmetric = instructions\n\trtol = 0.01\n' >>.regild
regild compare -q --fail-on check:own --json - >../gate.json || checked_json compare <../gate.json | grep '"condition"'
echo '# all are within, by the golden; the new side cannot let itself through'
write 1015 220 5000
try regild compare -q --csv ../rows.csv --fail-on tolerance
write 1016 260 50
sed -i 's/0.015/1/' expected_results.csv
try regild compare -q --csv ../rows.csv --fail-on tolerance
echo '# what is ignored breaks only a gate that asks'
printf '[metric "instructions"]\n\tkind = ignore\n' >>.regild
try regild compare -q --csv ../rows.csv --fail-above 10
try regild compare -q --csv ../rows.csv --fail-on tolerance
