# SPDX-License-Identifier: Apache-2.0
# A number that stands for none is not a value of either side: what it came from or became is gained or lost.
new_repository
configure() {
	printf '[regild]\n\troot = .\n\tfiles = *.csv *.json\n%s' "$1" >.regild
}
table() {
	printf 'name,pack_time,depth\n'
	printf '%s\n' "$@"
}
configure $'[metric "*"]\n\tmissing = -1\n[metric "*_time"]\n\tduration = yes\n\tflag = 5%\n'
# Without the setting, the mean of (old - new) / old of -1 -> -1 and of what got faster is anything.
table a,-1,1 b,10,2 c,20,3 d,-1,-1 >golden.csv
commit
echo '# records that got faster, beside those that have none'
table a,-1,1 b,5,2 c,10,3 d,-1,-1 >golden.csv
regild compare
try regild compare -q --fail-on lost,nonfinite --fail-above '*=1e-3' --csv -
echo '# a number became none, and one came'
table a,7,1 b,-1,2 c,20,3 d,-1,-1 >golden.csv
regild compare
try regild compare -q --fail-on lost
try regild compare -q --fail-on changed
echo '# only one came'
table a,-1,1 b,10,2 c,20,3 d,-1,4 >golden.csv
regild compare
try regild compare -q --fail-on lost
try regild compare -q --fail-on changed
echo '# all of a column came, or went'
table a,1,-1 b,-1,-1 >golden.csv
commit
table a,-1,5 b,-1,-1 >golden.csv
regild compare
try regild compare -q --fail-on lost
echo '# of steps, and a setting that takes it back'
configure $'[metric "*"]\n\tmissing = -1\n[metric "slack"]\n\tmissing = none\n'
rm golden.csv
echo '{"x": {"1": 1, "2": -1, "3": 3}, "slack": {"1": -1}}' >golden.json
commit
echo '{"x": {"1": 1, "2": 2, "3": -1}, "slack": {"1": -2}}' >golden.json
regild compare
try regild compare -q --fail-on lost
