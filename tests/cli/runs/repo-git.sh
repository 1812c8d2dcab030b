# SPDX-License-Identifier: Apache-2.0
# A repository's name with the ".git" that its address has is the repository.
hub_runs "$SCRATCH/fixture" 1
hub_repository
start_hub "$SCRATCH/fixture"
regild runs --repo NVIDIA/Megatron-LM.git
grep -o '/repos/[^/]*/[^/]*' "$HUB_LOG" | sort -u
try regild runs --repo gitlab.com/NVIDIA/Megatron-LM --source github
