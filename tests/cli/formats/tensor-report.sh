# SPDX-License-Identifier: Apache-2.0
# Reports of tensors: their own figures, a table for each flow and model, the worst first.
. "$REGILD_TOP/tests/formats/goldens.sh"
for model in qnn/add qnn/relu xnnpack/add xnnpack/relu; do
	golden_model old/$model
done
cp -R old new
# An output moved a little in one flow, much in the other; a model was asked something else; another
# program.
printf '\000\000\000\100\001\000\100\100' >new/qnn/relu_expected_output_0.bin
printf '\000\000\000\100\000\000\200\100' >new/xnnpack/relu_expected_output_0.bin
printf '\000\074\000\174' >new/xnnpack/relu_expected_output_1.bin
printf '\000\000\000\100\000\000\200\100' >new/qnn/add_input_0.bin
printf '\000\000\000\100\000\000\240\100' >new/qnn/add_expected_output_0.bin
sed 's/forward/FORWARD/' old/xnnpack/add.pte >new/xnnpack/add.pte
regild compare --old old --new new --csv rows.csv --markdown summary.md --json rows.json --html page.html
echo '# a row limit is one of all models together'
regild compare -q --old old --new new --top 2 | sed '/^$/q'
regild compare -q --old old --new new --top 2 | grep 'more;'
# The last digit of a logarithm is the C library's.
grep 'expected_output' rows.csv | sed 's/8\.60338006570993[0-9]/8.60338006570993/'
sed -n '/^Tensors/,$p' summary.md
grep -o '<h3><code>.*</h3>' page.html | head -n 2
grep -o '"elements".*' rows.json | head -n 1
regild report rows.json --html - | cmp - page.html
regild report rows.json --markdown - | cmp - summary.md
echo '# a 0 that became 50 is no equal value, whatever else cancels it'
printf '\000\000\000\000\000\000\200\077\000\000\000\300' >a.bin
printf '\000\000\110\102\000\000\200\077\000\000\000\300' >b.bin
regild compare -q --old a.bin --new b.bin --dtype float32 --json - | sed -n '/^ "buckets/,/^ \]/p'
regild compare -q --old a.bin --new b.bin --dtype float32 --csv -
echo '# where no row is of a tensor, nothing changes'
printf '{"a": {"values": {"1": 2}}}' >a.json
printf '{"a": {"values": {"1": 3}}}' >b.json
regild compare -q --old a.json --new b.json --csv -
echo '# a tensor of zeros that changed is in the buckets; another type with equal values is said'
mkdir was is
{
	printf "\\223NUMPY\\001\\000\\166\\000%-117s\\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
	printf '\000\000\200\077\000\000\000\100'
} >was/typed.npy
{
	printf "\\223NUMPY\\001\\000\\166\\000%-117s\\n" "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }"
	printf '\000\074\000\100'
} >is/typed.npy
{
	head -c 128 was/typed.npy
	printf '\000\000\000\000\000\000\000\000'
} >was/zeros.npy
{
	head -c 128 was/typed.npy
	printf '\000\000\000\000\000\000\100\100'
} >is/zeros.npy
regild compare -q was is --markdown summary.md --json rows.json
sed -n '/^| tensor/,$p' summary.md
grep -A 8 -E '^ "(series_rows|buckets)"' rows.json
regild compare was/typed.npy is/typed.npy 2>&1 | grep 'another kind'
