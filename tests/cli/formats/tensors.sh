# SPDX-License-Identifier: Apache-2.0
# Raw tensors beside their programs, .npy, .safetensors; what is wrong with them.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model old/xnnpack/relu
golden_model old/qnn/relu
cp -R old new
printf '\000\000\000\100\000\000\200\100' >new/qnn/relu_expected_output_0.bin
printf '\000\074\000\174' >new/xnnpack/relu_expected_output_1.bin
regild compare --top 0 --old old --new new --columns file,n_steps,avg_rel_diff,max_ulps,l2,mse,mean_abs,mean_error,snr_db,cosine,worst,nonfinite_mismatches
echo '# a size that does not fit'
printf '123' >new/xnnpack/relu_expected_output_0.bin
try regild compare -q --top 0 --old old --new new --columns file,identical
echo '# no program: a type has to come from somewhere'
rm new/qnn/relu.pte
try regild compare -q --top 0 --old old/qnn --new new/qnn --columns file,identical
cp old/qnn/relu.pte new/qnn
cp old/qnn/relu_input_0.bin a.bin
cp new/qnn/relu_expected_output_0.bin b.bin
try regild compare -q --old a.bin --new b.bin
regild compare -q --old a.bin --new b.bin --dtype float32 --columns metric,n_steps,old_mean,new_mean
regild compare -q --old a.bin --new b.bin --dtype i2 --shape 2,2 --columns metric,n_steps,near_zero,worst,worst_index
try regild compare --old a.bin --new b.bin --dtype float33
try regild compare --old a.bin --new b.bin --dtype f32 --shape 2,x
try regild compare --old a.bin --new b.bin --shape 2
try regild compare -q --old a.bin --new b.bin --dtype f32 --shape 3
echo '# zeros that are none any more: no relative difference, but a limit holds what is not finite'
printf '\0\0\0\0\0\0\0\0' >zeros.bin
printf '\0\0\0\0\0\0\300\177' >nan.bin
try regild compare -q --old zeros.bin --new nan.bin --dtype float32 --fail-above 1
echo '# a pointer where a tensor or a program should be, as in a clone without git-lfs'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 8\n' 0 >pointer.bin
try regild compare -q --old a.bin --new pointer.bin --dtype int8
cp pointer.bin new/qnn/relu.pte
try regild compare -q --old old/qnn --new new/qnn --columns file,identical
echo '# .npy against .npy of another shape'
cp "$REGILD_TOP/tests/formats/cases.bpte" .
regild executorch extract -q cases.bpte
regild compare -q --old cases/forward/0/output_0.npy --new cases/forward/1/output_1.npy
echo '# a type that cannot be read is said once, and that its bytes differ'
scales='{"e":{"dtype":"F8_E8M0","shape":[2],"data_offsets":[0,2]}} '
printf "\\$(printf %o ${#scales})\0\0\0\0\0\0\0%s\1\2" "$scales" >a.safetensors
printf "\\$(printf %o ${#scales})\0\0\0\0\0\0\0%s\1\3" "$scales" >b.safetensors
regild compare -q --old a.safetensors --new b.safetensors | grep differ
