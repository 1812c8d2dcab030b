# SPDX-License-Identifier: Apache-2.0
# A second download of the same run asks for no artifact; with --no-cache it does.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
export XDG_CACHE_HOME=$SCRATCH/cache
try regild download -q --run 22651183945 --only-failing -o first
echo "zips: $(grep -c '/zip ' "$HUB_LOG"), store: $(grep -c '^store' "$HUB_LOG")"
: >"$HUB_LOG"
try regild download -q --run 22651183945 --only-failing -o second
echo "zips: $(grep -c '/zip ' "$HUB_LOG"), store: $(grep -c '^store' "$HUB_LOG")"
echo "lists: $(grep -c ' 304 ' "$HUB_LOG") unchanged, $(grep -c ' 200 ' "$HUB_LOG") new"
diff -r first/files second/files
: >"$HUB_LOG"
try regild download -q --run 22651183945 --only-failing --no-cache -o third
echo "zips: $(grep -c '/zip ' "$HUB_LOG"), store: $(grep -c '^store' "$HUB_LOG")"
diff -r first/files third/files
