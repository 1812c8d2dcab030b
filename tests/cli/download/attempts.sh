# SPDX-License-Identifier: Apache-2.0
# The newest artifact of a job counts; an earlier attempt has its own.
start_hub "$REGILD_TOP/fixtures/attempts"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 2001 --all -v -o latest
try regild download --run 2001 --all -v --attempt 1 -o first
cat latest/files/gpt/rerun_failed/*.json first/files/gpt/rerun_failed/*.json
