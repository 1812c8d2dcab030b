# SPDX-License-Identifier: Apache-2.0
# extract and verify-outputs, by the runtime's rule.
cp "$REGILD_TOP/tests/formats/cases.bpte" .
regild executorch extract cases.bpte
find cases -type f | sort
cp cases.bpte c.bpte
regild executorch extract -q c.bpte --format npy
diff -r cases c
try sh -c 'regild executorch extract c.bpte -o full >/dev/full'
regild executorch verify-outputs cases.bpte --actual cases
echo '# raw outputs; one integer off, one missing, one of a wrong size'
regild executorch extract cases.bpte -o raw --format bin
printf '\007\002\003\004\005\006' >raw/forward/0/output_1.bin
rm raw/forward/1/output_0.bin
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 8\n' 0 >raw/forward/0/output_0.npy
printf 1 >raw/forward/1/output_1.bin
try regild executorch verify-outputs cases.bpte --actual raw
echo '# tolerances: 0.25 and 0.26'
printf '\244\160\075\012\327\243\320\077' >cases/forward/1/output_1.raw
mv cases/forward/1/output_1.raw cases/forward/1/output_1.bin
rm cases/forward/1/output_1.npy
try regild executorch verify-outputs -q cases.bpte --actual cases
regild executorch verify-outputs -q cases.bpte --actual cases --atol 0.011
regild executorch verify-outputs -q cases.bpte --actual cases --rtol 0.05
echo '# wrong calls'
try regild executorch verify-outputs cases.bpte
try regild executorch verify-outputs cases.bpte --actual nowhere
try regild executorch verify-outputs cases.bpte --actual cases.bpte
try regild executorch verify-outputs cases.bpte --actual cases --rtol -1
try regild executorch verify-outputs --actual cases
try regild executorch extract cases.npy -o x
try regild executorch extract cases.npy
try regild executorch extract .bpte
try regild executorch extract
try regild executorch extract cases.bpte -o ''
echo '# a file where a folder has to be: nothing, and a part of it'
touch file
try regild executorch extract cases.bpte -o file
mkdir -p part/forward
touch part/forward/1
try regild executorch extract cases.bpte -o part
find part -type f | sort
cat cases.bpte | try regild executorch extract /dev/stdin -o x
head -c 300 cases.bpte >cut.bpte
try regild executorch extract cut.bpte
try regild executorch verify-outputs cut.bpte --actual cases
# A method's name is a folder's, and never git's.
mkdir hostile
sed 's|forward|.Git/hh|g' cases.bpte >hostile.bpte
try regild executorch extract hostile.bpte -o hostile
find hostile
