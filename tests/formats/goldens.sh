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
