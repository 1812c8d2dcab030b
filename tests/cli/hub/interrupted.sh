# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in the middle: nothing is staged and no temporary file is left. Started again, it fetches only
# what had not come.
start_hub "$REGILD_TOP/fixtures/demo" --fault store:stall,seconds=600,first=1,match=5747310622
hub_repository
export XDG_CACHE_HOME=$SCRATCH/cache TMPDIR=$SCRATCH/tmp
mkdir "$TMPDIR"
# All but the one that stalls.
seven_have_come() {
	[ "$(regild cache 2>/dev/null | grep -c "  artifact ")" = 7 ]
}
# In the background a shell ignores SIGINT for its children; monitor mode does not.
set -m
REGILD_STALL_MS=600000 regild download --run 22651183945 --only-failing -o staged &
set +m
eventually seven_have_come
kill -INT $!
wait $! || echo "exit code $?"
ls
ls -A "$TMPDIR"
: >"$HUB_LOG"
try regild download -q --run 22651183945 --only-failing -o staged
find staged/files -type f | wc -l
grep '^store' "$HUB_LOG" | cut -d ' ' -f 3 | sort -u
