# SPDX-License-Identifier: Apache-2.0
# Tables: a column is a metric, and a record's key is what a step's number is elsewhere.
new_repository
cat >.regild <<'EOF'
[regild]
	root = .
	files = *.csv golden_results.txt losses/*.txt
[table "golden_results.txt"]
	key = arch,circuit,noc_flow
	key = arch,circuit
[table "expected_results.csv"]
	header = no
	names = name,metric,value,noise
	key = name
	metric = metric
	value = value
	tolerance = noise
EOF
mkdir losses vtr
printf 'name,accuracy,graph_breaks\n\n\n\nalexnet,pass,6\n\n\n\nDALLE2,eager_fail,0\n\n\n\ndcgan,pass,8\n\n\n\nhf_Bert,pass,4\n' >training.csv
printf ' arch\t  circuit\t  time\t  mem\t\nk6\tstereo\t2.5\t-1\t\nk6\tfir\t4\t61.2 MiB\t\n' >vtr/golden_results.txt
printf 'add,instructions,3066000000,0.015\n\nsum,instructions,200,0.1\n' >expected_results.csv
printf '1 8.05\n2 7.5\n' >losses/llama3.txt
commit
printf 'name,accuracy,graph_breaks\n\n\n\nhf_Bert,fail_to_run,3\n\n\n\nnew_model,pass,1\n\n\n\ndcgan,fail_to_run,8\n\n\n\nalexnet,pass,6\n' >training.csv
printf ' arch\t  circuit\t  time\t  mem\t\nk6\tfir\t5\t61.5 MiB\t\nk6\tstereo\t2.5\t-1\t\n' >vtr/golden_results.txt
printf 'add,instructions,3065000000,0.015\n\nsum,instructions,200,0.1\n' >expected_results.csv
printf '1 8.05\n2 7.25\n' >losses/llama3.txt
regild compare --csv -
regild compare -v
regild compare -q --csv - --columns file,metric,max_abs_rel_step,first_diff,changes,left_out
echo '# in JSON'
regild compare -q --json - | checked_json compare >../x.json
grep -o -e '"max_abs_rel_step": "[^"]*"' -e '"max_abs_rel_record": "[^"]*"' -e '"records": \[.*\]' ../x.json
regild compare -q --html ../page.html --markdown - | grep -A 3 'Texts'
grep -o -e 'anchor="[a-z]*">[a-zA-Z][^<]*</text>' -e 'label">record' ../page.html | sort -u
echo '# the default key is the first column, where it tells the records apart'
printf 'arch,time\nk6,1\nk6,2\n' >training.csv
try regild check training.csv
echo '# malformed'
printf 'a,b\nx,1,2\n' >training.csv
try regild check training.csv
printf '1 8.05\n2 0x10\n' >losses/llama3.txt
try regild check losses/llama3.txt
echo '# what cannot be in .regild'
printf '[table "*.csv"]\n\tkeys = a\n' >.regild
try regild compare
printf '[table "*.csv"]\n\tnames = a\n' >.regild
try regild compare
