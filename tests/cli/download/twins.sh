# SPDX-License-Identifier: Apache-2.0
# Jobs that share a name: time decides, else nobody does.
start_hub "$REGILD_TOP/fixtures/twins"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 2002 --only-failing -v -o staged
find staged/files -type f | LC_ALL=C sort
try regild download --run 2002 --all --take-ambiguous -o staged
find staged/files -type f | LC_ALL=C sort
