# SPDX-License-Identifier: Apache-2.0
# verify-outputs: what is not checked is said, the runtime's error statistics, and JSON.
command -v flatc >/dev/null || skip "needs flatc (flatbuffers-compiler)"
tensor() {
	printf '{"val_type": "Tensor", "val": {"scalar_type": %d, "sizes": [%s], "data": [%s]}}' "$@"
}
one='0, 0, 128, 63' two='0, 0, 0, 64' nan='0, 0, 192, 127' inf='0, 0, 128, 255'
cat >m.json <<JSON
{"method_test_suites": [
	{"method_name": "forward", "test_cases": [
		{"expected_outputs": [$(tensor 6 2 "$one, $two"), $(tensor 6 1 "$nan")]},
		{"inputs": [$(tensor 6 1 "$one")]},
		{"expected_outputs": [$(tensor 15 1 "128, 63")]},
		{}]}],
	"program": []}
JSON
flatc -b "$REGILD_TOP/tests/formats/bundle.fbs" m.json
regild executorch extract -q m.bpte -o actual --format bin
regild executorch verify-outputs m.bpte --actual actual --stats
echo '# NaN for -inf passes, as in the runtime; a bfloat16 in other bits does not; extra outputs'
printf '\0\0\200\377' >actual/forward/0/output_1.bin
printf '\201\077' >actual/forward/2/output_0.bin
ls actual/forward
touch actual/forward/0/output_2.npy actual/forward/0/output_10.bin actual/forward/1/output_0.bin actual/forward/0/notes
try regild executorch verify-outputs m.bpte --actual actual --rtol 0.1
try regild executorch verify-outputs -q m.bpte --actual actual --json out.json
checked_json <out.json
printf '\0\0\200\077\0\0\100\100' >actual/forward/0/output_0.bin
rm actual/forward/0/output_1.bin
regild executorch verify-outputs m.bpte --actual actual --json - | checked_json
printf '\0\0\200\077' >actual/forward/0/output_1.bin
try regild executorch verify-outputs -q m.bpte --actual actual --stats
