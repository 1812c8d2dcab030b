# SPDX-License-Identifier: Apache-2.0
# Backend reports over runs: cases that both pass and fail on one commit, and since when the others fail.
header='Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Output 0 SNR'
# run ID COMMIT RESULT-OF-ADD RESULT-OF-MUL RESULT-OF-SUB makes a staging folder, runs/ID.
run() {
	mkdir -p "runs/$1/files/xnnpack/ops"
	printf '%s\r\n' "$header" "add,Add,0,xnnpack,f32,$3,40" "mul,Mul,0,xnnpack,f32,$4,40" \
		"sub,Sub,1,xnnpack,f32,$5,40" >"runs/$1/files/xnnpack/ops/test-report-ops.csv"
	staging_manifest "runs/$1" "$1"
	sed -i "s|\"run\": {|\"run\": {\"head_commit\": \"$2\", \"branch\": \"b$((($1 + 1) / 2))\", \"created_at\": \"2026-03-0$1T00:00:00Z\", |" \
		"runs/$1/manifest.json"
}
run 1 aaaa Pass, Pass, Pass,
run 2 bbbb Pass, Fail,'Output Mismatch' Fail,'Lowering Failed'
run 3 bbbb Pass, Pass, Skip,
run 4 cccc Pass, Pass, Fail,'PTE Run Failed'
regild audit --from runs/1 runs/2 runs/3 runs/4 | grep 'test case'
echo '# markdown, JSON'
regild audit -q --from runs/1 runs/2 runs/3 runs/4 --markdown - | sed -n '/REVIEW/,/^$/p;/Test cases/,$p'
regild audit -q --from runs/1 runs/2 runs/3 runs/4 --json - | checked_json | sed -n '/"cases"/,$p'
echo '# groups'
for by in commit branch all; do
	regild audit --by $by --from runs/1 runs/2 runs/3 runs/4 | grep -E "^4 runs|^case/x"
done
echo '# more than are listed, all of them to and fro'
for id in 1 2 3 4; do
	mkdir -p bulk/$id/ops
	{
		echo "$header"
		for case in {10..34}; do echo "c$case,C,0,xnnpack,f32,$([ $((id % 2)) = 1 ] && echo Pass, || echo Fail,Crash),40"; done
	} >bulk/$id/ops/test-report-ops.csv
done
regild audit --from bulk/1 bulk/2 bulk/3 bulk/4 --top 9 | sed -n '/^REVIEW/,/^$/p'
echo '# folders: which commits they are of is not known'
for id in 1 2 3 4; do rm "runs/$id/manifest.json"; done
regild audit --from runs/1 runs/2 runs/3 runs/4 | grep 'test case'
echo '# pytest records a crash without subtests: each of them failed'
subtests() {
	printf '{"exitcode": 0, "tests": [{"nodeid": "::t[qnn]", "metadata": {"subtests": [%s, %s]}}]}' \
		'{"Test ID": "t[qnn]", "Subtest": 0, "Flow": "qnn", "Result": "Pass"}' \
		'{"Test ID": "t[qnn]", "Subtest": 1, "Flow": "qnn", "Result": "Pass"}' >"$1"
}
mkdir -p crash/1/ops crash/2/ops
subtests crash/1/ops/test-report-ops.json
echo '{"exitcode": 1, "tests": [{"nodeid": "::t[qnn]", "outcome": "failed", "???": {"longrepr": "died"}}]}' \
	>crash/2/ops/test-report-ops.json
regild audit --from crash/1 crash/2 | grep 'test case'
