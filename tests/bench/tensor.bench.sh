#!/bin/bash
# A comparison of two tensors of a gigabyte against cmp on the same files: as NumPy saved them they
# differ in the last element alone, so that cmp reads all of them; and a pair that differs everywhere,
# where cmp would stop at once and every figure has to be worked out.
#
# usage: tests/bench/tensor.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"

# tensor NAME SEED: a gibibyte of float32 in (0.5, 2), the same 16 MiB 64 times. Bytes are drawn, and
# every fourth is the one with sign and exponent.
tensor() {
	LC_ALL=C awk -v seed="$2" 'BEGIN {
		srand(seed)
		for (i = 0; i < 65536; i++)
			printf "%c%c%c?", 1 + int(rand() * 126), 1 + int(rand() * 126), 1 + int(rand() * 126)
	}' >"$1.piece"
	for _ in $(seq 64); do cat "$1.piece"; done >"$1.block"
	for _ in $(seq 64); do cat "$1.block"; done >"$1.bin"
	rm "$1.piece" "$1.block"
}
tensor old 1
tensor other 2
cp old.bin new.bin
printf '\101' | dd of=new.bin bs=1 seek=$(($(stat -c %s new.bin) - 1)) conv=notrunc 2>/dev/null

one="regild compare -q --old old.bin --new new.bin --dtype float32 >out"
all="regild compare -q --old old.bin --new other.bin --dtype float32 >out"
read_both="cmp old.bin new.bin >out || true"
measure 5 "$one" "$read_both" "$all" >measured
{
	read -r compared _ resident
	read -r cmp _ _
	read -r different _ resident_different
} <measured
bar "a gigabyte, one element differs: time over cmp's" "$(ratio "$compared" "$cmp")" 2.0 times
bar "a gigabyte, all elements differ: time over cmp's" "$(ratio "$different" "$cmp")" 2.0 times
bar "peak memory, one differs" "$((resident / 1024))" 32 MiB
bar "peak memory, all differ" "$((resident_different / 1024))" 32 MiB
exit "$missed"
