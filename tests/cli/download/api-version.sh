# SPDX-License-Identifier: Apache-2.0
# GitHub is asked in its API's newest version; an older Enterprise Server, which answers that with 400, in the
# version before it, from then on.
start_hub "$REGILD_TOP/fixtures/demo" --api-version 2022-11-28
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
regild download --run 22651183945 --only-failing -o older -v 2>&1 | grep -F version
grep -c ' 400 ' "$HUB_LOG"
stop_hub
start_hub "$REGILD_TOP/fixtures/demo"
regild download --run 22651183945 --only-failing -o newest -v --no-cache 2>&1 | grep -c -F version || true
grep -c ' 400 ' "$HUB_LOG" || true
diff -r older/files newest/files && echo same

# A server that answers everything with 400 is named as such.
stop_hub
start_hub "$REGILD_TOP/fixtures/demo" --fault api:status,value=400
try regild download --run 22651183945 --only-failing -o wrong --no-cache
wc -l <"$HUB_LOG"
