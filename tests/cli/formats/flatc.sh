# SPDX-License-Identifier: Apache-2.0
# The binary files that tests read are what flatc makes of their JSON with our schemas, and files that
# flatc makes are read.
command -v flatc >/dev/null || skip "needs flatc (flatbuffers-compiler)"
cp "$REGILD_TOP"/tests/formats/*.fbs "$REGILD_TOP"/tests/formats/*.json .
flatc -b program.fbs model.json
flatc -b program.fbs pair.json
flatc -b program.fbs segments.json
flatc -b bundle.fbs cases.json
cmp model.pte "$REGILD_TOP/tests/formats/model.pte"
cmp pair.pte "$REGILD_TOP/tests/formats/pair.pte"
cmp segments.pte "$REGILD_TOP/tests/formats/segments.pte"
cmp cases.bpte "$REGILD_TOP/tests/formats/cases.bpte"
# One of each type of the section, three elements each.
{
	printf '{"method_test_suites": [{"method_name": "all", "test_cases": [{"expected_outputs": ['
	for type in 0:1 1:1 2:2 3:4 4:8 5:2 6:4 7:8 11:1 15:2 23:1 24:1 27:2 28:4 29:8; do
		printf '%s{"val_type": "Tensor", "val": {"scalar_type": %d, "sizes": [3], "data": [' \
			"${comma:-}" "${type%:*}"
		seq -s ', ' 1 $((3 * ${type#*:}))
		printf ']}}'
		comma=,
	done
	printf ']}]}]}'
} >types.json
flatc -b bundle.fbs types.json
regild executorch extract types.bpte -o types --format bin
wc -c types/all/0/*.bin
regild executorch verify-outputs types.bpte --actual types
regild compare --old types.bpte --new types.bpte --columns metric,n_steps,old_mean,identical
echo '# methods that cannot be files of their own, and nothing to verify'
case='{"expected_outputs": [{"val_type": "Int", "val": {"int_val": 1}}]}'
echo "{\"method_test_suites\": [{\"method_name\": \"a\", \"test_cases\": [$case]},
	{\"method_name\": \"../b\", \"test_cases\": [$case]}], \"program\": [1]}" >outside.json
echo "{\"method_test_suites\": [{\"method_name\": \"a\", \"test_cases\": [$case]},
	{\"method_name\": \"b\", \"test_cases\": []}, {\"method_name\": \"a\", \"test_cases\": [$case]}]}" >twice.json
echo '{"method_test_suites": [{"method_name": "a", "test_cases": []}]}' >nothing.json
for name in outside twice nothing; do
	flatc -b bundle.fbs $name.json
done
try regild executorch extract outside.bpte
test ! -e outside
try regild executorch extract twice.bpte
test ! -e twice
try regild executorch verify-outputs nothing.bpte --actual types
echo '# a program of one input and one output, whose files need no number, and one without a plan'
mkdir -p one/qnn
sed 's/"inputs": .*/"inputs": [0],/; s/"outputs": .*/"outputs": [0]/' pair.json >m.json
echo '{"execution_plan": []}' >none.json
flatc -b program.fbs m.json
flatc -b program.fbs none.json
mv m.pte none.pte one/qnn
printf 12345678 | tee one/qnn/m_input.bin >one/qnn/m_expected_output.bin
try regild executorch pack one -o one.zip
rm one/qnn/none.pte
regild executorch pack one -o one.zip
rm one/qnn/m_input.bin
try regild executorch pack one -o two.zip
