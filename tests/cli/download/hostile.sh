# SPDX-License-Identifier: Apache-2.0
# Artifacts that are not what they should be, beside good ones.
start_hub "$REGILD_TOP/fixtures/hostile"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 2005 --all -v -j 1 -o staged
find . -type f | LC_ALL=C sort
