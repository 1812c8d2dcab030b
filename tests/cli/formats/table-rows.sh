# SPDX-License-Identifier: Apache-2.0
# Tables whose rows are metrics: the first column says what is measured, and the other columns are steps.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.csv *.json *.dat\n[table "*.csv"]\n\tmetrics = rows\n' >.regild
printf ',2016,2017,2018\nReturns (#m),150,152,154\nAGI ($b),1000,1100,1200\n' >agg.csv
printf 'quantity,cold,warm\nenergy,-1.5,-2\nstate,ok,ok\nenergy per cell,,4\n' >runs.csv
commit
echo '== each row is by hand'
sed -i 's/1100/550/; s/1200/1800/' agg.csv # 1100 -> 550 is 0.5, 1200 -> 1800 -0.5: mean 0 over 3, and the first step is 2017
sed -i 's/-2$/-1/; s/ok,ok/ok,failed/' runs.csv # energy: (-2 + 1) / -2 over 2: 0.25
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff,max_abs_rel_step,first_diff,changes
echo '== a row that is there twice'
printf ',1,2\na,1,2\na,3,4\n' >agg.csv
try regild check agg.csv
echo '== a setting that would be ignored is an error'
git checkout -q .
echo '{"a": 1}' >x.json
printf '[table "x.json"]\n\tmetrics = rows\n' >>.regild
try regild check x.json
printf '[text "runs.csv"]\n\tignore = "#*"\n[text "sub/*"]\n\tignore = "#*"\n' >>.regild
try regild check runs.csv
mkdir sub
echo '{"a": 1}' >sub/y.json
try regild check sub/y.json
for line in 'metrics = all' 'metrics = rows\n\tvalue = v'; do
	printf "[table \"*.csv\"]\n\t$line\n" >.regild
	try regild compare
done
