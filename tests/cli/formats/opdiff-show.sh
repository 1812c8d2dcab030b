# SPDX-License-Identifier: Apache-2.0
# One file of results by itself: opdiff's with runs that --append added, and backend tests.
. "$REGILD_TOP/tests/formats/opdiff.sh"
failed() {
	printf '{"type": "item", "id": "%s", "cases": [{"op": "aten::%s"}], "baseline": {"backend": "torch", "status": "OK", "ms": 1}, ' "$1" "$1"
	printf '"backends": [{"backend": "ort", "res": [{"status": "%s", "err": "%s", "ms": null}], "diff_all": null}]}\n' "$2" "$3"
}
{
	opdiff_meta
	opdiff_item add 2.0 ort OK 1.0 0 tflite OK 4.0 1e-7
	opdiff_item mul 2.0 ort OK 2.0 1e-5 tflite OK 3.0 0.5
	opdiff_item nan 1.0 ort OK 1.5 NAN_IN_OUTPUT tflite SKIPPED null -
	failed conv EXPORT_FAIL "NotImplementedError: The operator 'aten::conv' is not currently implemented for the MPS device"
	failed pool EXPORT_FAIL "NotImplementedError: The operator 'aten::pool' is not currently implemented for the MPS device"
	opdiff_meta
	opdiff_item mul 4.0 tflite OK 1.0 0.25
	failed norm TIMED_ERROR 'TIMEOUT: timeout_s=30'
} >results.jsonl
regild show results.jsonl
echo '# markdown, one run and one backend'
regild show results.jsonl --markdown - --run-index 1 --backend tflite
echo '# without a repository, --file alone is the same'
regild show results.jsonl >shown
regild compare --file results.jsonl | diff shown - && echo same
echo '# a page with both curves, and all of it again out of the JSON'
regild show results.jsonl --json report.json --html page.html >/dev/null
grep -o '<figcaption>[^<]*' page.html
grep -c 'class="distribution"' page.html
grep -c -e 'avg_rel_diff' -e 'New files' page.html || true
regild show results.jsonl --markdown summary.md >/dev/null
(cd / && regild report "$OLDPWD/report.json" --html "$OLDPWD/page.2.html" --markdown "$OLDPWD/summary.2.md")
cmp page.html page.2.html && cmp summary.md summary.2.md && echo same
echo '# an error that changed, of the same status'
sed 's/norm/conv/; s/TIMED_ERROR/EXPORT_FAIL/' results.jsonl >changed.jsonl
regild compare --old results.jsonl --new changed.jsonl --columns metric,n_steps | sed -n '/^opdiff/,/^$/p; /texts and/,/^$/p'
echo '# a new file has its report in a comparison, too'
new_repository
commit
mkdir -p "$ROOT"
cp results.jsonl "$ROOT/golden_values.jsonl"
regild compare --file "$ROOT/golden_values.jsonl" | grep '^opdiff'
echo '# where a summary has no room for the tables, it has what changed'
{
	opdiff_meta
	for backend in {1..20}; do
		opdiff_item "on-$backend" 1 "backend-$backend" OK 1 0
	done
} >many.jsonl
sed 's/"backend-7", "res": \[{"status": "OK"/"backend-7", "res": [{"status": "ERROR"/' many.jsonl >fewer.jsonl
regild compare -q --old many.jsonl --new fewer.jsonl --markdown - | sed -n '/^### opdiff/,/^### Summary/p'
echo '# tables of eight backends are worth more of a summary than the rows'
for ms in 1 2; do
	{
		opdiff_meta
		opdiff_item add 2.0 a OK $ms 0 b OK 4.0 1e-7 c OK 1 $ms d OK 3.0 0.5 e OK 1 0 f OK 1 0 g OK 1 0
	} >$ms.jsonl
done
regild compare -q --old 1.jsonl --new 2.jsonl --markdown - | grep '^\*\*Support\|left out here'
echo '# backend tests'
printf '%s\n' 'Test ID,Subtest,Flow,Result,Result Detail' 'add,0,xnn,Pass,' 'mul,0,xnn,Fail,Output Mismatch' >report.csv
regild show report.csv
regild show report.csv --markdown - --json report.json | sed '/^### Summary/q'
echo '# what has no report'
golden plain.json 'lm loss' 1 2
try regild show plain.json
try regild show .
try regild show
try regild show none.jsonl
printf '{"type": "meta", "meta": {"format_name": "opdiff_run", "format_version": 2}}\n' >bad.jsonl
try regild show bad.jsonl
