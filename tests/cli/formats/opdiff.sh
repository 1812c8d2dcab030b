# SPDX-License-Identifier: Apache-2.0
# opdiff results: two files, two backends of one file, an earlier run.
. "$REGILD_TOP/tests/formats/opdiff.sh"
{
	opdiff_meta
	opdiff_item add 1 ort OK 2 0.5 tflite OK 4 -
	opdiff_meta
	opdiff_item add 2.0 ort OK 1.0 0 tflite OK 4.0 1e-7
	opdiff_item mul 2.0 ort OK 2.0 1e-5 tflite EXPORT_FAIL null -
	opdiff_item nan 1.0 ort OK 1.5 NAN_IN_OUTPUT tflite OK 1.0 NOT_COMPARABLE_SHAPE
	opdiff_item old 1.0 ort OK 1.0 2
} >old.jsonl
{
	opdiff_meta
	opdiff_item add 2.0 ort OK 0.5 1e-6 tflite OK 4.0 1e-7
	opdiff_item mul 2.0 ort ERROR null - tflite OK 1.0 0.05
	opdiff_item nan 1.0 ort OK 1.5 0.5 tflite SKIPPED null -
	opdiff_item 'new|`x`' 1.0 ort OK 3.0 0
} >new.jsonl
regild compare --old old.jsonl --new new.jsonl
regild compare -q --old old.jsonl --new new.jsonl --markdown - | sed '/^### Summary/,$d'
echo '# two backends of one file'
regild compare --old old.jsonl --new old.jsonl --old-backend ort --new-backend tflite
echo '# the page draws the times of every backend'
{
	opdiff_meta
	opdiff_item add 1 a OK 1 0 b OK 1 0 c OK 1 0 d OK 1 0 e OK 2 0
} >many.jsonl
regild compare -q --old many.jsonl --new many.jsonl --html page.html >/dev/null
grep -o 'data-name="[^"]*' page.html
grep -c 'class="distribution"' page.html
echo '# an earlier run, and one that is not there'
regild compare -q --top 0 --old old.jsonl --new old.jsonl --run-index 0 --columns metric,old_mean
try regild compare --old old.jsonl --new new.jsonl --run-index 1
try regild compare --old old.jsonl --new new.jsonl --old-backend none --new-backend ort
echo '# of several files, which one it is'
mkdir -p before after
cp many.jsonl before
cp many.jsonl before/new.jsonl
cp many.jsonl new.jsonl after
try regild compare --old before --new after --old-backend e --new-backend a
echo '# a backend without a single repeat failed, and the others count'
{
	opdiff_meta
	printf '{"type": "item", "id": "add", "baseline": null, "backends": [{"backend": "ort", "res": []}, %s]}\n' \
		'{"backend": "tflite", "res": [{"status": "OK", "ms": 2}]}'
} >empty.jsonl
regild compare --old old.jsonl --new empty.jsonl | sed '1,/^$/d' | sed '/^$/,$d'
