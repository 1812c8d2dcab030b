# SPDX-License-Identifier: Apache-2.0
# Reports of backend tests: CSV and pytest JSON, two folders of them across flows.
header='Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Delegated,Lower Time (s),Output 0 SNR,Error'
mkdir -p old/xnnpack old/qnn new/xnnpack new/qnn
printf '%s\r\n' "$header" 'add,Add,0,xnnpack,"dtype: f32, n: 1",Pass,,True,0.5,90,' \
	'mul,Mul,0,xnnpack,dtype: f32,Fail,Output Mismatch,True,0.5,3,' \
	'sub,Sub,0,xnnpack,dtype: f16,Fail,Lowering Failed,,,,' \
	'div,Div,0,xnnpack,dtype: f16,Pass,,True,1,50,' >old/xnnpack/report.csv
printf '%s\r\n' "$header" 'add,Add,0,xnnpack,"dtype: f32, n: 1",Fail,PTE Run Failed,True,0.75,,"boom, ""x""' \
	'second line"' 'mul,Mul,0,xnnpack,dtype: f32,Pass,,True,0.5,60,' \
	'sub,Sub,0,xnnpack,dtype: f16,Fail,Lowering Failed,,,,' \
	'exp,Exp,0,xnnpack,dtype: f16,Pass,,True,1,50,' >new/xnnpack/report.csv
subtest() {
	printf '{"nodeid": "t.py::%s[qnn]", "outcome": "passed", "metadata": {"subtests": [{"Test ID": "%s", "Subtest": 0, "Flow": "qnn", "Result": "%s", "Result Detail": "%s", "Output 0 SNR": "%s"}]}}' "$@"
}
printf '{"exitcode": 1, "tests": [%s, %s]}\n' "$(subtest add add Pass '' 40)" \
	"$(subtest mul mul Pass '' 40)" >old/qnn/test-report-qnn-operators.json
printf '{"exitcode": 1, "tests": [%s, %s]}\n' "$(subtest add add Pass '' 20)" \
	"$(subtest mul mul Fail 'Process Crash' nan)" >new/qnn/test-report-qnn-operators.json
regild compare --old old --new new
regild compare -q --old old --new new --markdown summary.md --csv rows.csv >/dev/null
sed '/^### Summary/,$d' summary.md
cat rows.csv
echo '# more flows than a list holds'
for i in {1..43}; do
	echo "add,Add,0,flow$i,,Fail,Flow $i broke,,,,"
done >rows
{ echo "$header" && cat rows; } >flows.csv
regild compare -q --old flows.csv --new flows.csv --markdown - --html page.html |
	grep '^\(\*\*\|[0-9]* more\)'
grep '^<p>[0-9]* more\|<h3>' page.html
echo '# one file; and a broken one beside'
regild compare -q --old old/xnnpack/report.csv --new new/xnnpack/report.csv | tail -n 3
{ echo "$header" && cat rows rows; } >flows.csv
try regild check flows.csv
printf '%s\nadd,Add,0\n' "$header" >new/xnnpack/report.csv
try regild compare -q --old old --new new
try regild compare --old old --new new/xnnpack/report.csv
echo '# a column that appears twice: the last one counts'
printf 'Test ID,Flow,Result,Output 0 SNR,Output 0 SNR\na,qnn,Pass,10,20\n' >twice.csv
sed 's/20$/30/' twice.csv >thrice.csv
regild compare -q --old twice.csv --new thrice.csv --columns metric,old_mean,new_mean | grep SNR
try regild check twice.csv
