# SPDX-License-Identifier: Apache-2.0
# Ctrl-C: nothing is changed, and the next download goes on where this one was.
start_hub "$REGILD_TOP/fixtures/demo" --fault store:stall,every=5,seconds=60
new_repository
git remote add origin https://github.com/NVIDIA/Megatron-LM
touch a && commit
before=$(find . "$HOME" -type f | LC_ALL=C sort)
# In the background a shell ignores SIGINT for its children; monitor mode does not.
set -m
regild download --run 22651183945 --only-failing -j 1 &
set +m
stalls() {
	grep -qs stall "$HUB_LOG" || [ "$(grep -c '^store' "$HUB_LOG")" -ge 4 ]
}
eventually stalls
kill -INT $!
status=0
wait $! || status=$?
echo "exit code $status"
diff <(echo "$before") <(find . -type f | LC_ALL=C sort) && echo "nothing was changed"
stop_hub
# At the same address: what came from another one would not count.
start_hub "$REGILD_TOP/fixtures/demo" --port "${GITHUB_API_URL##*:}"
try regild download --run 22651183945 --only-failing -q
# Eight artifacts in all, of which at least three had come.
fetched=$(grep -c ^store "$HUB_LOG")
[ "$fetched" -ge 1 ] && [ "$fetched" -le 5 ] && echo "it went on where it was" || echo "fetched $fetched"

# gh may ask its keyring, and wait.
mkdir bin && printf '#!/bin/sh\ntouch "%s/asked"\nexec sleep 60\n' "$SCRATCH" >bin/gh && chmod +x bin/gh
unset GITHUB_TOKEN GH_TOKEN
set -m
PATH=$PWD/bin:$PATH regild download --run 22651183945 --only-failing -o none &
set +m
eventually [ -e "$SCRATCH/asked" ]
kill -INT $!
begin=$SECONDS status=0
wait $! || status=$?
echo "exit code $status"
[ $((SECONDS - begin)) -lt 30 ] && echo "gh was not waited for"
