# SPDX-License-Identifier: Apache-2.0
# OpenROAD's metrics: what goes from zero to anything has no relative figure. Every report lists it, it
# needs a look, and --fail-above can have a bound for it.
mkdir old new
printf 'design,drc_errors,area,failures\ngcd,0,10,0\naes,0,20,0\nibex,4,30,0\n' >old/rules.csv
printf 'design,drc_errors,area,failures\ngcd,812,10,0\naes,3,20,0\nibex,4,30,7\n' >new/rules.csv
golden old/g.json slack 0 0.5 1
golden new/g.json slack 0 0.5 1
{
	regild compare old new
	regild compare -q old new --csv -
	regild compare -q old new --csv - --columns metric,from_zero,from_zero_largest --sort metric
	regild compare -q old new --markdown - | grep -e '->'
	printf '{{#buckets}}{{range}}: {{n}}\n{{/buckets}}' >buckets
	regild compare -q old new --markdown - --template buckets | grep -v ': 0'
	regild compare -q old new --html page.html >/dev/null
	grep -c '0 -.* 812' page.html
	regild compare -q old new --json - | checked_json | grep -oE '"(from_zero|from_zero_largest)": [^,]+|"kind": "from-zero"' | sort | uniq -c
	echo '== gates'
	for bound in 0.5 from-zero=1000 from-zero=100 drc*:from-zero=100 'fail*:from-zero=0,1' fail*:from-zero=0 nothing:from-zero=1; do
		regild compare -q old new --csv /dev/null --fail-above "$bound" >/dev/null || echo "exit code $?"
	done
	echo '== a level of another kind judges it'
	git init -q .
	git config -f .regild metric.drc_errors.kind absolute
	git config -f .regild metric.drc_errors.flag 1000
	git config -f .regild metric.failures.kind ignore
	regild compare -q path:old path:new
} >shown 2>&1
cat shown
