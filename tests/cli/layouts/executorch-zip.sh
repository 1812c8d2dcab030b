# SPDX-License-Identifier: Apache-2.0
# ExecuTorch's goldens as they are published since September 2026: a zip of its own, with the target's
# folders in it, at hand or at an address. The layout alone knows it.
. "$REGILD_TOP/tests/formats/goldens.sh"
new_repository
printf '[regild]\n\tlayout = executorch\n\troot = goldens\n' >.regild
golden_model goldens/xnnpack/relu
golden_model goldens/xnnpack/gone
commit
golden_model ../packed/xnnpack/relu
golden_model ../packed/xnnpack/models/deep
printf '\000\000\240\100\000\000\100\100' >../packed/xnnpack/relu_expected_output_0.bin
regild executorch pack -q ../packed -o ../golden_artifacts_26090909.zip >/dev/null
taken() {
	echo "== $1"
	regild refresh -q --csv ../rows.csv --from "$2" | grep -v -e '^noise' -e '^next'
	cut -d , -f 1-6 ../rows.csv # the last bit of a logarithm is the C library's
	git status --short -uall
	regild undo -q
}
taken 'a zip' ../golden_artifacts_26090909.zip
mkdir ../run
mkdir ../run/artifacts
cp -r ../packed ../run/artifacts/golden_artifacts_26090910
printf '{"repository": "o/n", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"}, "jobs": [],
 "artifacts": [{"id": 9, "name": "golden_artifacts_26090910"}]}' >../run/run.json
start_hub ../run --open-store "$SCRATCH/store"
taken 'an address' "$(cat "$SCRATCH/store")/actions-results/9/golden_artifacts_26090910.zip"
