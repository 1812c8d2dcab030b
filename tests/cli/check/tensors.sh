# SPDX-License-Identifier: Apache-2.0
# Raw tensors: by the program beside them, else by what .regild says of them.
. "$REGILD_TOP/tests/formats/goldens.sh"
new_repository
golden_model goldens/xnnpack/relu
mkdir -p goldens/alone
printf '\000\000\200\177\000\000\300\177\000\000\200\077' >goldens/alone/a.bin
printf '[regild]\n\troot = goldens\n\tfiles = *.pte *.bin\n' >.regild
commit
try regild check
printf '[tensor "*/a.bin"]\n\tdtype = float32\n' >>.regild
try regild check
printf '\000\000\200\377' >>goldens/alone/a.bin
try regild check --changed
# Read in place, a tensor may be larger than what is taken otherwise.
head -c 2097152 /dev/zero >goldens/alone/b.bin
printf '[tensor "*/b.bin"]\n\tdtype = float32\n[regild]\n\tmaxFile = 1M\n' >>.regild
try regild check
printf '[tensor "*"]\n\tdtype = float33\n' >>.regild
try regild check
printf '[tensor "*/a.bin"]\n\tdtyp = float32\n' >>.regild
try regild check
echo '# each beside its own program: halves in one, floats in the other'
rm .regild
mkdir pair && cd pair
cp "$REGILD_TOP/tests/formats/pair.pte" a.pte
cp "$REGILD_TOP/tests/formats/model.pte" b.pte
printf '\000\000\200\077\000\000\000\100' >a_expected_output_0.bin
printf '\000\074\000\176\000\074\000\074' >b_expected_output_0.bin
try regild check a_expected_output_0.bin b_expected_output_0.bin
