# SPDX-License-Identifier: Apache-2.0
# GitHub's own client gets at the fake GitHub, by way of a proxy: it takes no address with a port. Its
# token goes to the API alone.
command -v gh >/dev/null || skip "needs gh"
start_hub "$REGILD_TOP/fixtures/attempts"
export GH_TOKEN=test-token GH_NO_UPDATE_NOTIFIER=1
http_proxy=$GITHUB_API_URL gh run download 2001 -R github.localhost/NVIDIA/Megatron-LM -D out
find out -type f | LC_ALL=C sort
grep -c '^store GET .* 200 .*auth=no' "$HUB_LOG"
! grep '^store.*auth=yes' "$HUB_LOG"
