# SPDX-License-Identifier: Apache-2.0
# A nightly in which one model of a flow could not be lowered: the others are packed, and it is named.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/xnnpack/add
golden_model goldens/qnn/relu
golden_model goldens/qnn/conv
golden_model goldens/coreml/mul
rm goldens/xnnpack/add_expected_output_1.bin goldens/qnn/relu.pte
printf 1 >goldens/coreml/mul_input_0.bin
printf broken >goldens/qnn/conv.pte
echo notes >goldens/qnn/notes.txt
try regild executorch pack goldens -o some.zip
test ! -e some.zip
regild executorch pack goldens -o some.zip --skip-incomplete
regild executorch verify some.zip
regild executorch unpack some.zip -o some
(cd some && find . -type f | sort)
echo '# whole ones are packed as without it; nothing that is whole'
regild executorch pack some -o whole.zip --skip-incomplete
cmp some.zip whole.zip
rm -r goldens/xnnpack/relu*
try regild executorch pack goldens -o none.zip --skip-incomplete
test ! -e none.zip
