# SPDX-License-Identifier: Apache-2.0
# One repository that holds goldens of all formats; types of raw tensors from .regild.
. "$REGILD_TOP/tests/formats/goldens.sh"
. "$REGILD_TOP/tests/formats/opdiff.sh"
new_repository
printf '[regild]\n\troot = g\n\tfiles = golden_values*.json *.pte *.bin *.bpte *.jsonl */reports/*.csv\n[tensor "raw/*.bin"]\n\tdtype = float32\n\tshape = 1,2\n' >.regild
golden g/gpt/golden_values.json 'lm loss' 10 9 8
golden_model g/xnnpack/relu
mkdir g/raw g/bundles g/opdiff g/reports
cp g/xnnpack/relu_input_0.bin g/raw/t.bin
cp "$REGILD_TOP/tests/formats/cases.bpte" g/bundles
{ opdiff_meta; opdiff_item add 2 ort OK 1 0; } >g/opdiff/run.jsonl
printf 'Test ID,Flow,Result,Output 0 SNR\na,qnn,Pass,10\n' >g/reports/test-report-qnn.csv
printf 'Test ID,Flow,Result\na,coreml,Pass\nb,coreml,Pass\n' >g/reports/coreml.csv
printf 'day,price\n1,2\n' | tee g/prices.ini g/gone.ini >g/same.ini
echo '# not a golden' >g/readme.md
commit
golden g/gpt/golden_values.json 'lm loss' 10 9 8.5
printf '\000\000\000\100\000\000\000\100' | tee g/raw/t.bin >g/xnnpack/relu_expected_output_0.bin
sed 's/embedded/EMBEDDED/' g/bundles/cases.bpte >x && mv x g/bundles/cases.bpte
{ opdiff_meta; opdiff_item add 2 ort ERROR null -; } >g/opdiff/run.jsonl
printf 'Test ID,Flow,Result,Output 0 SNR\na,qnn,Fail,5\n' >g/reports/test-report-qnn.csv
printf 'Test ID,Flow,Result\na,coreml,Pass\nb,coreml,Fail\n' >g/reports/coreml.csv
printf 'day,price\n1,3\n' | tee g/new.ini >g/prices.ini
rm g/gone.ini
echo changed >>g/readme.md
regild compare --top 0
regild compare -q --csv - --columns file,metric,n_steps,avg_rel_diff
regild compare -q --csv - --columns worst_index --filter 'file=g/raw/*'
echo '# what regild.files does not name is not looked at, unless somebody names it'
try regild check
try regild compare -q --file g/prices.ini
