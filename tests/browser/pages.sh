# SPDX-License-Identifier: Apache-2.0
# Makes the pages that the tests open, in $SCRATCH/pages; loaded after tests/cli/lib.sh, in an empty folder.

# The demo's refresh: curves that moved, rows without a check, a golden that is missing.
cp -r "$REGILD_TOP"/fixtures/demo/repository demo && cd demo
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
start_hub "$REGILD_TOP/fixtures/demo"
regild refresh -q --run 22651183945 --only-failing --html "$SCRATCH/pages/report.html" || [ $? = 4 ]
stop_hub
cd ..
