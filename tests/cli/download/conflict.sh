# SPDX-License-Identifier: Apache-2.0
# Two artifacts that want one place.
start_hub "$REGILD_TOP/fixtures/conflict"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 2003 --all -o staged
find staged/files -type f | LC_ALL=C sort
