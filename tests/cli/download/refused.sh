# SPDX-License-Identifier: Apache-2.0
# What the API refuses, and what the message says to do.
start_hub "$REGILD_TOP/fixtures/demo"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 7 --all -o out
try regild download --run 22651183945 --attempt 9 --all -o out
try env GITHUB_TOKEN=wrong regild download --run 22651183945 --all -o out
try env GITHUB_REPOSITORY=o/n regild download --run 22651183945 --all -o out
[ ! -e out ] && echo "nothing was made"
grep -c zip "$HUB_LOG" || true
