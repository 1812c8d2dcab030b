# SPDX-License-Identifier: Apache-2.0
# Golden artifacts for tests. golden_model PATH writes PATH.pte (tests/formats/pair.pte: two inputs,
# float32 [2] and int64 [], two outputs, float32 [2] and float16 [2]) and its tensors.
golden_model() {
	mkdir -p "$(dirname "$1")"
	cp "$REGILD_TOP/tests/formats/pair.pte" "$1.pte"
	printf '\000\000\200\077\000\000\000\100' >"$1_input_0.bin"
	printf '\007\000\000\000\000\000\000\000' >"$1_input_1.bin"
	printf '\000\000\000\100\000\000\100\100' >"$1_expected_output_0.bin"
	printf '\000\074\000\100' >"$1_expected_output_1.bin"
}

# large_models FOLDER MEGABYTES: three such models of that size each: two with an extended header, by which the data
# after it are not read, and one without.
large_models() {
	local flow
	golden_model "$1/qnn/m"
	golden_model "$1/vulkan/m"
	golden_model "$1/xnnpack/m"
	for flow in qnn vulkan; do
		{
			printf '\060\0\0\0ET12eh00\040\0\0\0\020\001\0\0\0\0\0\0\020\001\0\0\0\0\0\0\010\0\0\0\0\0\0\0'
			tail -c +9 "$1/xnnpack/m.pte"
		} >"$1/$flow/m.pte"
	done
	truncate -s "$2M" "$1"/*/m.pte
}
