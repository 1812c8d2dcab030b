# SPDX-License-Identifier: Apache-2.0
# Records are not steps: the one that moved most counts, by its name, in levels, gates, order and sentences, and
# avg_rel_diff stays in its column. `score` says otherwise, of tables and of series.
mkdir old new
cat >old/taxes.csv <<'END'
tax,y2018,y2019
income,100,50
sales,100,60
wealth,100,70
END
sed 's/income,100/income,94/; s/sales,100/sales,106.4/' old/taxes.csv >new/taxes.csv
{
	echo name,value
	for i in {1..20}; do echo r$i,1000; done
} >old/one.csv
sed 's/r7,1000/r7,1019/' old/one.csv >new/one.csv
golden old/steps.json loss 4 4 4 4
golden new/steps.json loss 4 4.1 4 4
{
	regild compare -q old new --fail-above 5e-3 || echo "exit code $?"
	regild compare -q old new --csv - --columns metric,avg_rel_diff,change,max_abs_rel,max_abs_rel_step,score,level
	regild compare -q old new --threshold 0.05 | head -n 3
	regild compare -q old new --markdown - | grep -E '^[-|].*(y2018|value)'
	regild compare -q old new --json - | checked_json | grep -oE '"reason": [^,]*|"says": "[^"]*"' | sort -u
	git init -q
	echo '== the mean of a table, the largest of a series'
	git config -f .regild metric.y2018.score mean
	git config -f .regild metric.value.score mean
	git config -f .regild metric.loss.score max
	regild compare -q path:old path:new --fail-above 5e-3 || echo "exit code $?"
	git config -f .regild metric.loss.score median
	regild compare -q path:old path:new || echo "exit code $?"
} >shown 2>&1
cat shown
