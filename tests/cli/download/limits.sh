# SPDX-License-Identifier: Apache-2.0
# A rate limit: a long wait is announced, and one that is too long ends the download.
start_hub "$REGILD_TOP/fixtures/demo" --fault api:primary,seconds=40,match=/jobs
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
try regild download --run 22651183945 --all --max-wait 5 -o out 2>err
sed 's/another [0-9]* s /another N s /' err
[ ! -e out ] && echo "nothing was made"
stop_hub
start_hub "$REGILD_TOP/fixtures/demo" --fault api:secondary,seconds=6,match=/jobs,first=1,every=1
try regild download --run 22651183945 --only-failing --no-cache -o out 2>err
grep waiting err | sed 's/waiting [67] s/waiting N s/'
find out -name '*.json' | wc -l
