# SPDX-License-Identifier: Apache-2.0
# A refresh holds the same gates as compare; what is missing of the run is graver (4), and the gate's
# line says so, last of all.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
rm $ROOT/t5/t5_mcore_tp4_pp1_resume/golden_values_dev_dgx_h100.json
try regild refresh --run 22651183945 --only-failing --csv ../rows.csv --fail-above 1e-3 \
	--fail-on lost,removed --json ../all.json >/dev/null 2>../shown
sed -n '/files compared/,$p' ../shown
sed -n '/"gate"/,/^ }/p' ../all.json
