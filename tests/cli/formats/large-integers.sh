# SPDX-License-Identifier: Apache-2.0
# Whole numbers over 2^53, which doubles do not hold, are equal only digit for digit: ids, hashes, bytes.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.json *.csv *.txt *.jsonl *.yaml *.dat\n[table "long.csv"]\n\tkey = name\n\tmetric = m\n\tvalue = v\n' >.regild
digits=9007199254740993
write() {
	printf '{"hash": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": 1, "2": %s}}}' $1 >series.json
	printf '{"a": {"hash": %s, "list": [1, %s], "ids": [1, %s], "quoted": ["%s", 2]}, "x": NaN, "y": -1e300}' $1 $1 $1 $1 >tree.json
	printf '[{"name": "b", "hash": %s}, {"name": "a", "hash": 1}]' $1 >objects.json
	printf 'name,hash\nb,%s\na,1\n' $1 >table.csv
	printf 'name,m,v\nb,hash,%s\na,hash,1\n' $1 >long.csv
	printf '1 5\n2 %s\n' $1 >list.txt
	printf 'hash of all: %s\n' $1 >text.txt
	printf '{"step": 1, "hash": %s}\n{"step": 2, "hash": 5}\n' $1 >log.jsonl
	printf 'hash: %s\nother: 2\n' $1 >golden.yaml
	printf 'step,epoch,hash\n1,0,%s\n2,0,5\n' $1 >metrics.csv
	printf 'Step 1 | hash:%s lr:2\n' $1 >tune.txt
	printf '1.0 %s\n2.0 5\n' $1 >scan.dat
}
write $digits
commit
write 9007199254740992
try regild compare -q --fail-on changed --csv - --columns file,metric,avg_rel_diff,identical,first_diff
regild compare -q -- table.csv series.json
echo '== records in another order, and the same written otherwise'
write $digits
printf '[{"name": "a", "hash": 1}, {"name": "b", "hash": %s}]' $digits >objects.json
printf 'name,hash\na,1\nb,+%s\n' $digits >table.csv
try regild compare -q --fail-on changed
