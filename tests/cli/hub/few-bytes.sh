# SPDX-License-Identifier: Apache-2.0
# Kilobytes of goldens move, megabytes of logs do not; few requests an artifact.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
try regild download -q --run 22651183945 --all -o all
all=$((100 * 1024 * 1024))
moved=$(awk '$1 == "store" { bytes += $5 } END { print bytes }' "$HUB_LOG")
[ "$moved" -lt $((all / 100)) ] || echo "$moved bytes moved"
awk '$1 == "store" || / 302 / { match($3, /artifacts?\/[0-9]+|results\/[0-9]+/); id = substr($3, RSTART, RLENGTH)
	sub(/.*\//, "", id); n[id]++ } END { for (id in n) if (n[id] > 4) print id, n[id] " requests" }' "$HUB_LOG"
