# SPDX-License-Identifier: Apache-2.0
# Every job's, named by the run's URL, from outside a repository, artifacts fetched whole.
start_hub "$REGILD_TOP/fixtures/demo"
# A proxy is not asked for what is on this machine: its loopback is another's.
export http_proxy=http://127.0.0.1:9 all_proxy=http://127.0.0.1:9
try regild download --all --whole --no-cache -j 3 -o staged \
	--run https://github.com/NVIDIA/Megatron-LM/actions/runs/22651183945/attempts/1
find staged -type f | LC_ALL=C sort
grep -c '"check":.*"sha256"' staged/manifest.json
[ -e "$HOME/.cache" ] || echo "nothing cached"
