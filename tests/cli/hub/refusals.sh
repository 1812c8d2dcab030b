# SPDX-License-Identifier: Apache-2.0
# What GitHub says no to, and what there is to do about it.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
echo "an unknown run:"
try regild download --run 1 --all
echo "another repository:"
try regild download --repo NVIDIA/Other --run 22651183945 --all
echo "a bad token:"
GITHUB_TOKEN=wrong try regild download --run 22651183945 --all
echo "no token:"
GITHUB_TOKEN= GH_TOKEN= PATH=$REGILD_BUILD:/usr/bin:/bin try regild download --run 22651183945 --all
echo "nobody there:"
export REGILD_RETRY_BASE_MS=1
GITHUB_API_URL=http://127.0.0.1:1 try regild download --run 22651183945 --all
echo "plain http elsewhere:"
GITHUB_API_URL=http://192.0.2.1 try regild download --run 22651183945 --all
echo "no request was made with the token to anybody else:"
grep -c 'auth=yes' "$HUB_LOG"
[ -e .git/regild ] || echo "nothing was left"
