# SPDX-License-Identifier: Apache-2.0
# The bundled run, whole: what failed is fetched, put in, compared and summed up; what is missing
# from the scope makes it 4.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
status=0
regild refresh --run 22651183945 --only-failing --threshold 0.01 --csv ../summary.csv \
	--markdown ../summary.md || status=$?
cat ../summary.md ../summary.csv
git status --short
regild check --changed | head -n 1
exit $status
# exit: 4
