# SPDX-License-Identifier: Apache-2.0
# Raw tensors over runs: the program beside them, in each folder or at each commit, says what they are.
. "$REGILD_TOP/tests/formats/goldens.sh"
for run in 1 2 3; do
	golden_model runs/$run/xnnpack/relu
	printf "\\000\\000\\0$((3 + run))0\\100\\000\\000\\100\\100" >runs/$run/xnnpack/relu_expected_output_0.bin
done
regild audit --from runs/1 runs/2 runs/3 | head -n 4
new_repository
printf '[regild]\n\troot = goldens\n\tfiles = **/*.pte **/*.bin\n' >.regild
for run in 1 2 3; do
	mkdir -p goldens && cp -r runs/$run/xnnpack goldens && git add .regild goldens && git commit -q -m $run
done
regild audit --history HEAD | head -n 4
rm runs/2/xnnpack/relu.pte
regild audit --from runs/1 runs/2 runs/3 >/dev/null || echo "exit code $?"
echo '# configuration says it'
rm runs/*/xnnpack/relu.pte
printf '[tensor "*_0.bin"]\n\tdtype = float32\n[tensor "*_input_1.bin"]\n\tdtype = int64\n' >>.regild
printf '[tensor "*_output_1.bin"]\n\tdtype = float16\n' >>.regild
regild audit --from runs/1 runs/2 runs/3 | head -n 1
