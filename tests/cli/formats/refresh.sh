# SPDX-License-Identifier: Apache-2.0
# Golden artifacts end to end: the preset, a zip inside the artifact's zip, flows kept apart, and the
# comparison of what was refreshed.
. "$REGILD_TOP/tests/formats/goldens.sh"
start_hub "$REGILD_TOP/fixtures/executorch"
export GITHUB_REPOSITORY=pytorch/executorch
new_repository
golden_model goldens/xnnpack/relu
golden_model goldens/xnnpack_static_int8/relu
printf '\000\000\240\100\000\000\100\100' >goldens/xnnpack/relu_expected_output_0.bin
regild init --layout executorch
commit
try regild refresh --run 12 --all --markdown summary.md
git status --short --untracked-files=all
sed -n '/^\*\*Golden/,/^### /p' summary.md
echo '# whole, and packed again'
regild executorch pack goldens -o new.zip
regild executorch verify new.zip
