#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A comparison of two tensors of a gigabyte against cmp on the same files: as NumPy saved them they
# differ in the last element alone, so that cmp reads all of them; and a pair that differs everywhere,
# where cmp would stop at once and every figure has to be worked out. Once float32 without a header,
# once float16 with one, in Fortran's order.
#
# usage: tests/bench/tensor.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"

# tensor NAME SEED TYPE: a gibibyte of one MiB 1024 times, float32 in (0.5, 2) or float16 in [1, 2).
# Bytes are drawn, but for the one with sign and exponent.
tensor() {
	LC_ALL=C awk -v seed="$2" -v type="$3" 'BEGIN {
		srand(seed)
		for (i = 0; type == "float16" && i < 524288; i++)
			printf "%c<", 1 + int(rand() * 126)
		for (i = 0; type == "float32" && i < 262144; i++)
			printf "%c%c%c?", 1 + int(rand() * 126), 1 + int(rand() * 126), 1 + int(rand() * 126)
	}' >"$1.piece"
	for _ in $(seq 32); do cat "$1.piece"; done >"$1.block"
	: >"$1"
	if [ "$3" = float16 ]; then
		printf '\223NUMPY\001\000\166\000%-117s\n' \
			"{'descr': '<f2', 'fortran_order': True, 'shape': (16384, 32768), }" >"$1"
	fi
	for _ in $(seq 32); do cat "$1.block"; done >>"$1"
	rm "$1.piece" "$1.block"
}

# pairs TYPE EXTENSION OPTIONS: both comparisons of that type.
pairs() {
	local old=old$2 new=new$2 other=other$2 compared cmp different resident resident_different
	tensor "$old" 1 "$1"
	tensor "$other" 2 "$1"
	cp "$old" "$new"
	printf '\075' | dd of="$new" bs=1 seek=$(($(stat -c %s "$new") - 1)) conv=notrunc 2>/dev/null
	measure 5 "regild compare -q --old $old --new $new $3 >out" "cmp $old $new >out || true" \
		"regild compare -q --old $old --new $other $3 >out" >measured
	{
		read -r compared _ resident
		read -r cmp _ _
		read -r different _ resident_different
	} <measured
	bar "a gigabyte of $1, one differs: time over cmp's" "$(ratio "$compared" "$cmp")" 2.0 times
	bar "a gigabyte of $1, all differ: time over cmp's" "$(ratio "$different" "$cmp")" 2.0 times
	bar "peak memory, $1, one differs" "$((resident / 1024))" 32 MiB
	bar "peak memory, $1, all differ" "$((resident_different / 1024))" 32 MiB
	rm "$old" "$new" "$other"
}

pairs float32 .bin "--dtype float32"
pairs float16 .npy ""
exit "$missed"
