# On a terminal the scope is asked for.
script --version >/dev/null 2>&1 || skip "needs script(1) of util-linux"
export GITHUB_TOKEN=t GITHUB_REPOSITORY=o/n GITHUB_API_URL=http://127.0.0.1:1

echo '== neither'
answer 'n\n\004' 'regild download --run 5 -o out'
echo '== Ctrl-C ends it at the first question'
answer '\003' 'regild download --run 5 -o out'
[ ! -e out ] && echo "nothing was made"
echo '== the one, the other'
start_hub "$REGILD_TOP/fixtures/demo"
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
answer 'y\n' 'regild download --run 22651183945 -q -o failing'
answer 'n\nY\n' 'regild download --run 22651183945 -q -o all'
