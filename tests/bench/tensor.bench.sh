#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A comparison of two tensors of a gigabyte against cmp on the same files: as NumPy saved them they
# differ in the last element alone, so that cmp reads all of them; and a pair that differs everywhere,
# where cmp would stop at once and every figure has to be worked out. float32 and bfloat16 without a
# header, float16 with one, in Fortran's order. Then, what memory other formats take, and zips of models.
#
# usage: tests/bench/tensor.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
REGILD_TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$REGILD_TOP/tests/formats/goldens.sh"
cd "$scratch"

# tensor NAME SEED TYPE: a gibibyte of one MiB 1024 times, float32 in (0.5, 2), bfloat16 or float16 in [1, 2).
# Bytes are drawn, but for the one with sign and exponent.
tensor() {
	LC_ALL=C awk -v seed="$2" -v type="$3" 'BEGIN {
		srand(seed)
		for (i = 0; type == "float16" && i < 524288; i++)
			printf "%c<", 1 + int(rand() * 126)
		for (i = 0; type == "bfloat16" && i < 524288; i++)
			printf "%c?", 128 + int(rand() * 127)
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

# pairs TYPE EXTENSION BAR OPTIONS: both comparisons of that type.
pairs() {
	local old=old$2 new=new$2 other=other$2 compared cmp different resident resident_different
	tensor "$old" 1 "$1"
	tensor "$other" 2 "$1"
	cp "$old" "$new"
	printf '\075' | dd of="$new" bs=1 seek=$(($(stat -c %s "$new") - 1)) conv=notrunc 2>/dev/null
	measure 5 "regild compare -q --old $old --new $new $4 >out" "cmp $old $new >out || true" \
		"regild compare -q --old $old --new $other $4 >out" >measured
	{
		read -r compared _ resident
		read -r cmp _ _
		read -r different _ resident_different
	} <measured
	bar "a gigabyte of $1, one differs: time over cmp's" "$(ratio "$compared" "$cmp")" "$3" times
	bar "a gigabyte of $1, all differ: time over cmp's" "$(ratio "$different" "$cmp")" "$3" times
	bar "peak memory, $1, one differs" "$((resident / 1024))" 32 MiB
	bar "peak memory, $1, all differ" "$((resident_different / 1024))" 32 MiB
	rm "$old" "$new" "$other"
}

# memory NAME COMMAND
memory() {
	local resident
	read -r _ _ resident < <(measure 0 "$2")
	bar "peak memory, $1" "$((resident / 1024))" 64 MiB
}

pairs float32 .bin 2.0 "--dtype float32"
pairs bfloat16 .bin 3.0 "--dtype bfloat16"
pairs float16 .npy 3.0 ""

tensor f.npy 1 float16
sed '1s/True, /False,/' f.npy >c.npy
memory "a gigabyte in Fortran order and in C order" "regild compare -q c.npy f.npy"
rm c.npy f.npy
{
	printf '\120\0\0\0\0\0\0\0{"t": {"dtype": "BF16", "shape": [536870912], "data_offsets": [0, 1073741824]}} '
	tensor bare 1 bfloat16
	cat bare
} >old.safetensors
cp old.safetensors new.safetensors
printf '\075' | dd of=new.safetensors bs=1 seek=1000000000 conv=notrunc 2>/dev/null
memory "a gigabyte of safetensors" "regild compare -q old.safetensors new.safetensors"
rm bare ./*.safetensors

large_models old 600
large_models new 600
printf X | dd of=new/qnn/m.pte bs=1 seek=500000000 conv=notrunc 2>/dev/null
memory "pack of 3 models of 600 MB" "regild executorch pack -q old -o old.zip"
regild executorch pack -q new -o new.zip
memory "verify of them" "regild executorch verify -q old.zip"
memory "unpack of them" "regild executorch unpack -q old.zip -o unpacked"
memory "comparison of two folders of them" "regild compare -q old new"
memory "comparison of two zips of them" "regild compare -q old.zip new.zip"
exit "$missed"
