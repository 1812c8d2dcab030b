# SPDX-License-Identifier: Apache-2.0
# Programs of dynamic shape: a tensor is any whole number of elements up to the bounds, and its shape
# what fits alone. Made by flatc.
command -v flatc >/dev/null || skip "needs flatc (flatbuffers-compiler)"
image='{"val_type": "Tensor", "val": {"scalar_type": 6, "sizes": [1, 3, 16, 16], "shape_dynamism": 1}}'
row='{"val_type": "Tensor", "val": {"scalar_type": 6, "sizes": [9], "shape_dynamism": 1}}'
any='{"val_type": "Tensor", "val": {"scalar_type": 1, "sizes": [0, 0], "shape_dynamism": 2}}'
mkdir -p old/xnnpack
echo "{\"execution_plan\": [{\"name\": \"forward\", \"values\": [$image, $row, $any], \"inputs\": [0],
	\"outputs\": [1, 2]}]}" >m.json
flatc -b -o old/xnnpack "$REGILD_TOP/tests/formats/program.fbs" m.json
floats() { head -c $((4 * $1)) /dev/zero | tr '\0' "$2"; }
floats $((3 * 14 * 14)) '\077' >old/xnnpack/m_input_0.bin
floats 5 '\077' >old/xnnpack/m_expected_output_0.bin
printf 123456 >old/xnnpack/m_expected_output_1.bin
cp -R old new
regild compare --csv - --old old --new new --columns file,metric,n_steps,worst_index,identical
echo '# the last pixel of the second channel: by its index'
printf '\100' | dd of=new/xnnpack/m_input_0.bin bs=1 seek=$((4 * 2 * 14 * 14 - 1)) conv=notrunc 2>/dev/null
regild compare -q --csv - --old old --new new --columns file,n_steps,worst,worst_index,identical
echo '# pack and verify take them, and refuse what is no size within the bounds'
regild executorch pack old -o m.zip
regild executorch verify m.zip
for size in 3073 12 5; do
	cp -R old bad
	floats $size '\077' >bad/xnnpack/m_input_0.bin
	test $size != 5 || printf 123 >>bad/xnnpack/m_input_0.bin
	try regild executorch pack bad -o bad.zip
	try regild compare -q --csv - --old old --new bad --columns file,old_excerpt,new_excerpt,identical
	rm -r bad
done
echo '# --dtype, --shape and [tensor] come before the program'
regild compare -q --csv - --old old --new new --shape 1,3,7,28 --columns file,worst_index || echo "exit code $?"
mkdir alone
cp old/xnnpack/m.pte old/xnnpack/m_input_0.bin alone
cp -R alone alone.new
printf '\100' | dd of=alone.new/m_input_0.bin bs=1 seek=$((4 * 2 * 14 * 14 - 1)) conv=notrunc 2>/dev/null
regild compare -q --csv - --old alone --new alone.new --shape 1,3,7,28 --columns file,worst_index
regild compare -q --csv - --old alone --new alone.new --dtype int32 --columns file,worst_index,worst
regild compare -q --csv - --old alone --new alone.new --dtype float32 --columns file,worst_index
new_repository
printf '[regild]\n\troot = .\n[tensor "m_input_*.bin"]\n\tshape = 3,14,14\n' >.regild
regild compare -q --csv - --old alone --new alone.new --columns file,worst_index
echo '# refreshed: another size within the bounds comes out of the run, with its own shape'
mkdir repository
cd repository
new_repository
regild init -q --layout executorch
mkdir goldens
cp -R ../old/xnnpack goldens
commit
cp -R ../old ../run
floats $((3 * 15 * 15)) '\077' >../run/xnnpack/m_input_0.bin
regild executorch pack -q ../run -o golden_artifacts_26112103.zip
mkdir -p ../dl/golden-artifacts-xnnpack
mv golden_artifacts_26112103.zip ../dl/golden-artifacts-xnnpack
try regild refresh -q --from ../dl --allow shrink --csv - --columns file,old_excerpt,new_excerpt
git status --short
