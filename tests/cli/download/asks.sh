# SPDX-License-Identifier: Apache-2.0
# On a terminal the scope is asked for.
needs_terminal
export GITHUB_TOKEN=t GITHUB_REPOSITORY=o/n GITHUB_API_URL=http://127.0.0.1:1

echo '== neither'
answer 'regild download --run 5 -o out' 'n\n' '\004'
echo '== Ctrl-C ends it at the first question'
answer 'regild download --run 5 -o out' '\003'
[ ! -e out ] && echo "nothing was made"
echo '== the one, the other'
start_hub "$REGILD_TOP/fixtures/demo"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
answer 'regild download --run 22651183945 -q -o failing' 'y\n'
answer 'regild download --run 22651183945 -q -o all' 'n\n' 'Y\n'
