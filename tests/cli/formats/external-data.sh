# SPDX-License-Identifier: Apache-2.0
# External data (.ptd): their tensors are compared, and a program that points to some finds them beside
# itself. Made by flatc, with the header that the exporter puts in after it.
command -v flatc >/dev/null || skip "needs flatc (flatbuffers-compiler)"
formats=$REGILD_TOP/tests/formats
little() { printf "\\$(printf %03o $(($1 & 255)))\\$(printf %03o $(($1 >> 8 & 255)))\\0\\0\\0\\0\\0\\0"; }
# data NAME SEGMENT-BYTES: NAME.ptd out of NAME.json. The header comes between the identifier and the
# tables, which it moves by 40 bytes.
data() {
	flatc -b "$formats/flat_tensor.fbs" "$1.json"
	root=$(od -An -tu1 -N1 "$1.ptd")
	size=$(wc -c <"$1.ptd")
	{
		printf "\\$(printf %03o $((root + 40)))\\0\\0\\0FT01FH01\\050\\0\\0\\0"
		little 40
		little "$size"
		little $((size + 40))
		little "$(printf "$2" | wc -c)"
		tail -c +9 "$1.ptd"
		printf "$2"
	} >"$1.tmp"
	mv "$1.tmp" "$1.ptd"
}
layout() { printf '{"scalar_type": %d, "sizes": [%s], "dim_order": [%s]}' "$@"; }
cat >m.json <<JSON
{"segments": [{"size": 16}, {"offset": 16, "size": 6}, {"offset": 32, "size": 3}], "named_data": [
	{"key": "fc.weight", "segment_index": 0, "layout": $(layout 6 2,2 1,0)},
	{"key": "tied", "segment_index": 0, "layout": $(layout 6 4 0)},
	{"key": "bits", "segment_index": 1, "layout": $(layout 22 3 0)},
	{"key": "blob", "segment_index": 2}]}
JSON
weights='\0\0\200\077\0\0\0\100\0\0\100\100\0\0\200\100'
data m "${weights}123456----------abc"
cmp m.ptd "$formats/data.ptd"
regild textconv m.ptd
external() {
	printf '{"val_type": "Tensor", "val": {"scalar_type": %d, "sizes": [%s], "extra": {"name": "%s", "location": 1}}}' "$@"
}
flat='{"val_type": "Tensor", "val": {"scalar_type": 6, "sizes": [2]}}'
cat >p.json <<JSON
{"execution_plan": [
	{"name": "forward", "values": [$flat, $(external 6 2,2 fc.weight), $(external 6 4 tied)], "inputs": [0], "outputs": [0]},
	{"name": "again", "values": [$flat, $(external 6 2,2 fc.weight)], "inputs": [0], "outputs": [0]}]}
JSON
flatc -b "$formats/program.fbs" p.json
mkdir -p old/qnn
cp p.pte old/qnn/m.pte
cp m.ptd old/qnn
printf 12345678 | tee old/qnn/m_input.bin >old/qnn/m_expected_output.bin
cp -R old new
data m "${weights%100}101123456----------abd"
cp m.ptd new/qnn
regild compare -q --csv - --old old --new new --columns file,metric,n_steps,worst_index,old_excerpt,new_excerpt
echo '# checked: there, of the type that the program says, and packed with it'
regild check old/qnn/m.pte
mv old/qnn/m.ptd old/qnn/_default_external_constant.ptd
regild check old/qnn/m.pte
regild executorch pack old -o m.zip
regild executorch verify m.zip
regild executorch unpack m.zip -o unpacked
diff -r old unpacked
rm old/qnn/*.ptd
try regild check old/qnn/m.pte
try regild executorch pack old -o none.zip
sed -i 's/"sizes": \[4\], "extra"/"sizes": [5], "extra"/; s/fc.weight/fc.missing/' p.json
flatc -b "$formats/program.fbs" p.json
cp m.ptd p.ptd
try regild check p.pte
echo '# cut off, and no header'
head -c -1 m.ptd >cut.ptd
try regild check cut.ptd
flatc -b "$formats/flat_tensor.fbs" m.json
try regild check m.ptd
