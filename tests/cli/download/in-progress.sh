# SPDX-License-Identifier: Apache-2.0
# A run that has not finished.
start_hub "$REGILD_TOP/fixtures/in-progress"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 2004 --all -o staged
try regild download --run 2004 --only-failing --in-progress -o staged
find staged/files -type f | LC_ALL=C sort
