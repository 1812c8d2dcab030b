# SPDX-License-Identifier: Apache-2.0
# What executorch's commands say, for programs: whole, not whole, in part, and not at all.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/qnn/relu
golden_model goldens/qnn/lacks
rm goldens/qnn/lacks_expected_output_0.bin
regild executorch pack goldens -o one.zip --skip-incomplete --json - | checked_json
regild executorch verify one.zip --json - | checked_json
regild executorch unpack one.zip --json unpacked.json
grep -e folder -e files -e whole unpacked.json
echo '# not whole'
(cd goldens && zip -qr ../bad.zip . )
try regild executorch verify bad.zip --json bad.json
sed -n '/whole/,/"outcome"/p' bad.json
{ regild executorch pack goldens -o no.zip --json - || echo "$?" >code; } | checked_json
cat code
echo '# a bundled program'
cp "$REGILD_TOP/tests/formats/cases.bpte" .
regild executorch extract cases.bpte --json - | checked_json
