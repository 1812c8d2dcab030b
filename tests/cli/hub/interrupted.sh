# Ctrl-C in the middle: nothing is staged and no temporary file is left. Started again, it fetches only
# what had not come.
start_hub "$REGILD_TOP/fixtures/demo" --fault store:stall,seconds=60,first=1,match=5747310622
hub_repository
export XDG_CACHE_HOME=$SCRATCH/cache TMPDIR=$SCRATCH/tmp
mkdir "$TMPDIR"
# In the foreground timeout signals once; else twice, and the second signal kills on the spot.
try timeout --foreground --preserve-status -s INT 2 \
	regild download --run 22651183945 --only-failing -o staged
ls
ls -A "$TMPDIR"
: >"$HUB_LOG"
try regild download -q --run 22651183945 --only-failing -o staged
find staged/files -type f | wc -l
grep '^store' "$HUB_LOG" | cut -d ' ' -f 3 | sort -u
