#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The downloader: 60 artifacts of 20 MB with two goldens each, every answer 30 ms late. Ranges and
# eight jobs against whole artifacts one after the other, which is what there is without regild.
#
# usage: tests/bench/download.bench.sh BUILD_DIR
set -eu
fixtures=$(cd "$(dirname "$0")" && pwd)/hub-fixture.sh
. "$(dirname "$0")/lib.sh"

artifacts=60
bash "$fixtures" "$scratch/fixture" "$artifacts"
hub --log "$scratch/log" --ready "$scratch/ready" --fault api:latency,seconds=0.03 \
	--fault store:latency,seconds=0.03 "$scratch/fixture" >"$scratch/hub.out" 2>&1 &
hub=$!
trap 'kill $hub 2>/dev/null || true; rm -rf "$scratch"' EXIT
for _ in $(seq 1 200); do
	[ ! -s "$scratch/ready" ] || break
	sleep 0.05
done
read -r GITHUB_API_URL <"$scratch/ready"
export GITHUB_API_URL GITHUB_TOKEN=test-token

mkdir "$scratch/repository"
cd "$scratch/repository"
touch README
commit_all
download="regild download --quiet --repo NVIDIA/Megatron-LM --run 9001 --only-failing"

# Requests and bytes of one download, by the server's log.
$download --no-cache -o "$scratch/once" >"$scratch/printed"
grep -q "^$artifacts tests with goldens, $((2 * artifacts)) goldens" "$scratch/printed"
read -r zips reads bytes <<<"$(awk '$1 == "api" && $3 ~ /\/zip$/ { zips++ }
	$1 == "store" { reads++; bytes += $5 }
	END { print zips, reads, bytes }' "$scratch/log")"
whole=$((artifacts * 20971520))
printf '       %s artifacts of 20 MB: %s bytes moved of %s\n' "$artifacts" "$bytes" "$whole"
bar "bytes moved, share of all" "$(awk "BEGIN { printf \"%.2f\", 100 * $bytes / $whole }")" 1 %
bar "requests an artifact, the redirect included" "$(ratio $((zips + reads)) "$artifacts")" 4 ""

measure 3 "rm -rf $scratch/ranged; $download --no-cache -o $scratch/ranged" >"$scratch/measured"
read -r ranged _ resident <"$scratch/measured"
measure 1 "rm -rf $scratch/whole; $download --no-cache --whole --jobs 1 -o $scratch/whole" \
	>"$scratch/measured"
read -r serial _ _ <"$scratch/measured"
diff -r "$scratch/ranged/files" "$scratch/whole/files"
printf '       ranged %s s, --whole --jobs 1 %s s\n' "$ranged" "$serial"
bar "time over --whole --jobs 1" "$(ratio "$ranged" "$serial")" 0.1 x
bar "peak memory" "$(awk "BEGIN { printf \"%.1f\", $resident / 1024 }")" 64 MiB

# A second download moves nothing.
export XDG_CACHE_HOME=$scratch/cache
$download -o "$scratch/first" >"$scratch/printed"
before=$(wc -l <"$scratch/log")
measure 3 "rm -rf $scratch/second; $download -o $scratch/second" >"$scratch/measured"
read -r cached _ _ <"$scratch/measured"
printf '       from the cache %s s\n' "$cached"
bar "artifact requests of downloads from the cache" \
	"$(tail -n "+$((before + 1))" "$scratch/log" | grep -c -e '^store' -e '/zip ' || true)" 0 ""

exit "$missed"
