# SPDX-License-Identifier: Apache-2.0
# --fail-on for tests and operators: what got worse breaks a gate, what got better passes.
. "$REGILD_TOP/tests/formats/opdiff.sh"
header='Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Delegated,Lower Time (s),Output 0 SNR,Error'
report() {
	printf '%s\n' "$header" "$@"
}
hold() {
	local status=0
	echo "== $*"
	regild compare "${said:--q}" "$@" >/dev/null || status=$?
	echo "exit code $status"
}
mkdir old new
report 'add,Add,0,xnnpack,,Pass,,True,1,90,' 'exp,Exp,0,xnnpack,,Pass,,True,1,inf,' \
	'mul,Mul,0,xnnpack,,Fail,Output Mismatch,True,1,3,' 'neg,Neg,0,xnnpack,,Pass,,True,1,40,' \
	'sub,Sub,0,xnnpack,,Skip,,False,,,' >old/report.csv
report 'add,Add,0,xnnpack,,Fail,Quantization Failed,False,,,boom' 'exp,Exp,0,xnnpack,,Pass,,False,2,80,' \
	'mul,Mul,0,xnnpack,,Pass,,True,1.02,60,' 'neg,Neg,0,xnnpack,,Fail,Process Crash,,,,died' \
	'sub,Sub,0,xnnpack,,Pass,,False,,,' 'tan,Tan,0,xnnpack,,Fail,Lowering Failed,,,,' >new/report.csv
{
	hold --old old --new new --fail-on newly-failing,crash,undelegated,status-worse,slower=5%,snr-drop=3
	said=-v hold --old old --new new --fail-on newly-failing,crash,undelegated,status-worse,slower=5%,snr-drop=3 |&
		grep 'gate breaks\|^=='
	hold --old old --new new --fail-on slower=150%,snr-drop=3
	echo '# the other way round, the one that is fixed and worse again breaks'
	hold --old new --new old --fail-on newly-failing,crash,undelegated,slower:5%,snr-drop:3
	said=-v hold --old new --new old --fail-on status-worse |& grep 'gate breaks'
	echo '# JSON'
	regild compare -q --old old --new new --json - \
		--fail-on crash,newly-failing,slower=5%,snr-drop=3 2>/dev/null >all.json || true
	checked_json <all.json | sed -n '/"gate"/,/^ }/p'
	echo '# operators'
	{
		opdiff_meta
		opdiff_item add 1 ort OK 1.0 0 tflite INFER_FAIL null -
		opdiff_item mul 1 ort OK 2.0 0 tflite OK 1.0 0
	} >old.jsonl
	{
		opdiff_meta
		opdiff_item add 1 ort OK 1.5 0 tflite OK 1.0 0
		opdiff_item mul 1 ort ERROR null - tflite SKIPPED null -
	} >new.jsonl
	said=-v hold --old old.jsonl --new new.jsonl --fail-on status-worse,slower=5% |& grep 'gate\|^=='
	echo '# wrong calls'
	hold --old old --new new --fail-on slower
	hold --old old --new new --fail-on slower=5
	hold --old old --new new --fail-on snr-drop=x
	hold --old old --new new --fail-on crash=1
	hold --old old --new new --fail-on newly-failed
} 2>&1
