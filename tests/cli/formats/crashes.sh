# SPDX-License-Identifier: Apache-2.0
# A process that crashed leaves no subtests in pytest's report: each that the other side has failed.
# Pass rates are by the flow and the parameters in pytest's names.
mkdir old new
# subtest ID INDEX RESULT DETAIL DELEGATED SNR ERROR
subtest() {
	printf '{"Test ID": "%s", "Test Case": "%s", "Subtest": %s, "Flow": "xnnpack", "Result": "%s", "Result Detail": "%s", "Delegated": "%s", "Output 0 SNR": %s, "Error": "%s"}' \
		"$1" "${1%%[*}" "$2" "$3" "$4" "$5" "$6" "$7"
}
# ran ID SUBTESTS
ran() {
	printf '{"nodeid": "::%s", "outcome": "passed", "metadata": {"subtests": [%s]}}' "$1" "$2"
}
report() {
	printf '{"created": 1, "exitcode": 1, "tests": [%s]}\n' "$1"
}
passed() {
	ran "$1" "$(subtest "$1" 0 Pass '' True '"41.500"' ''), $(subtest "$1" 1 Pass '' True '"inf"' '')"
}
report "$(passed 'test_add[xnnpack-f32]'), $(passed 'test_add[xnnpack-f16]'), $(passed 'test_mul[xnnpack-f32]'), $(passed 'test_neg[xnnpack]')" \
	>old/test-report-xnnpack-operators.json
crash='{"nodeid": "::test_add[xnnpack-f32]", "outcome": "failed", "???": {"longrepr": "worker crashed\n<b>SIGSEGV</b>"}, "metadata": {"subtests": [{"Test ID": "test_add[xnnpack-f32]", "Test Case": "test_add", "Flow": "xnnpack", "Result": "Fail", "Result Detail": "Process Crash", "Error": "worker crashed\n<b>SIGSEGV</b>"}]}}'
bare='{"nodeid": "::test_add[xnnpack-f16]", "outcome": "failed", "???": {"longrepr": "died"}}'
mul=$(ran 'test_mul[xnnpack-f32]' "$(subtest 'test_mul[xnnpack-f32]' 0 Pass '' False '"30.250"' ''), $(subtest 'test_mul[xnnpack-f32]' 1 Pass '' True '"99.000"' '')")
report "$crash, $bare, $mul, $(passed 'test_neg[xnnpack]')" >new/test-report-xnnpack-operators.json
try regild compare -q --old old --new new --html page.html --json all.json --markdown summary.md --fail-on crash,newly-failing,undelegated,snr-drop=3
sed '/^### Summary/,$d' summary.md
grep -c 'pairs\|avg_rel_diff' summary.md || true # no goldens with figures
sed -n '/<h2>Backend/,/^<\/section>/p' page.html | sed -n '/<details><summary>/,/<\/pre>/p'
checked_json <all.json | grep -o '"error": "worker[^,]*' | sort -u
echo '# mended again'
regild compare -q --old new --new old --fail-on crash,newly-failing,status-worse,undelegated,snr-drop=0 >shown
grep -A4 '^Fixed' shown
