# SPDX-License-Identifier: Apache-2.0
# What BundledProgram refuses to make, check finds; and every type, method, suite and dynamism that the
# schemas have is read. Made by flatc.
command -v flatc >/dev/null || skip "needs flatc (flatbuffers-compiler)"
formats=$REGILD_TOP/tests/formats
# value TYPE [SIZES [DYNAMISM]]: an EValue; tensor TYPE SIZES DATA: a Value.
value() {
	printf '{"val_type": "Tensor", "val": {"scalar_type": %d, "sizes": [%s], "shape_dynamism": %d}}' \
		"$1" "${2-}" "${3:-0}"
}
tensor() {
	printf '{"val_type": "Tensor", "val": {"scalar_type": %d, "sizes": [%s], "data": [%s]}}' "$@"
}
bytes() { seq -s , 1 "$1"; }
# bundle NAME PROGRAM.json SUITES: NAME.bpte
bundle() {
	if [ "$2" ]; then
		flatc -b "$formats/program.fbs" "$2"
		program=$(od -An -v -tu1 "${2%.json}.pte" | tr -s ' \n' , | sed 's/^,//; s/,$//')
	fi
	printf '{"method_test_suites": [%s], "program": [%s]}' "$3" "${2:+$program}" >"$1.json"
	flatc -b "$formats/bundle.fbs" "$1.json"
}
int='{"val_type": "Int", "val": {"int_val": 1}}'
cat >two.json <<JSON
{"execution_plan": [
	{"name": "forward", "values": [$(value 6 2,2), $(value 3 4 1), $(value 1 0 2), $int,
		{"val_type": "Bool", "val": {}}, {"val_type": "Double", "val": {}}, $(value 6 2)],
		"inputs": [0, 1, 2, 3, 4, 5], "outputs": [6]},
	{"name": "encode", "values": [$(value 6 1)], "inputs": [], "outputs": [0]}]}
JSON
bool='{"val_type": "Bool", "val": {"bool_val": true}}'
double='{"val_type": "Double", "val": {"double_val": 0.5}}'
good="$(tensor 6 2,2 "$(bytes 16)"), $(tensor 3 3 "$(bytes 12)"), $(tensor 1 5 "$(bytes 5)"), $int, $bool, $double"
output=$(tensor 6 2 "$(bytes 8)")
suite() { printf '{"method_name": "%s", "test_cases": [%s]}' "$@"; }
case_of() { printf '{"inputs": [%s], "expected_outputs": [%s]}' "$@"; }
echo '# as it should be: bounded and unbounded inputs, a case without outputs, a method without cases'
bundle good two.json "$(suite encode "$(case_of '' "$(tensor 6 1 "$(bytes 4)")")"),
	$(suite forward "$(case_of "$good" "$output"), $(case_of "$good" '')")"
regild check good.bpte
flatc -b "$formats/program.fbs" two.json
regild textconv two.pte
echo '# everything wrong at once'
bad="$(tensor 5 2,2 "$(bytes 8)"), $(tensor 3 5 "$(bytes 20)"), $int, $int, $double, $double"
bundle bad two.json "$(suite forward "$(case_of "$bad" "$(tensor 6 3 "$(bytes 12)"), $output"),
	$(case_of "$output" "$int")"), $(suite decode "$(case_of "$output" "$output")")"
try regild check bad.bpte
bundle none '' "$(suite forward "$(case_of "$good" "$output")")"
try regild check none.bpte
echo '# every ScalarType, those that cannot be read among them, which leave the others readable'
all=
for type in 0:1 1:1 2:2 3:4 4:8 5:2 6:4 7:8 8:4 9:8 10:16 11:1 12:1 13:1 14:4 15:2 16:1 17:1 18:1 19:1 20:1 \
	21:1 22:2 23:1 24:1 25:1 26:1 27:2 28:4 29:8 44:1; do
	all="$all${all:+, }$(tensor "${type%:*}" 3 "$(bytes $((3 * ${type#*:})))")"
done
bundle types two.json "$(suite forward "$(case_of '' "$all")")"
cp types.bpte changed.bpte
regild executorch extract -q types.bpte -o types --format bin
wc -c types/forward/0/*.bin | tail -n 1
regild textconv types.bpte | grep -E 'cannot be read|complex' | sort
sed -i 's/"scalar_type": 22, "sizes": \[3\], "data": \[1,2/"scalar_type": 22, "sizes": [3], "data": [1,3/' types.json
flatc -b "$formats/bundle.fbs" types.json
regild compare -q --csv - --old changed.bpte --new types.bpte --columns metric,n_steps,identical,old_excerpt,new_excerpt
regild compare -q --old changed.bpte --new types.bpte --json - | grep -oE '"notes": "[^\\]*'
try regild executorch verify-outputs types.bpte --actual types
