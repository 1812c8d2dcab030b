#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A comparison of two datasets of a gigabyte in HDF5 against h5diff with a tolerance on the same pair: contiguous ones and
# ones of packed chunks, of which one value differs, or all do; and what memory it takes.
#
# usage: tests/bench/hdf5.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"

# dataset NAME HOW WHAT: a gibibyte of float64; WHAT is added to the last value, or to all.
dataset() {
	/usr/bin/python3 - "$@" <<'end'
import sys
import h5py, numpy as np

name, how, what = sys.argv[1:]
rng = np.random.default_rng(1)
tile = np.round(1 + rng.random((1024, 2048)), 3) + (1e-3 if what == "all" else 0)
layout = {"chunks": (64, 256), "compression": "gzip", "compression_opts": 1} if how == "packed" else {}
with h5py.File(name, "w") as f:
    x = f.create_dataset("x", (64 * 1024, 2048), "f8", **layout)
    for i in range(0, x.shape[0], 1024):
        x[i : i + 1024] = tile
    if what == "last":
        x[-1, -1] += 1e-3
end
}

for how in contiguous packed; do
	dataset old.h5 $how none
	dataset last.h5 $how last
	dataset all.h5 $how all
	for what in last all; do
		measure 3 "regild compare -q old.h5 $what.h5 >out" "h5diff -p 1e-6 old.h5 $what.h5 >out || true" >measured
		{
			read -r ours _ resident
			read -r h5diff _ _
		} <measured
		bar "a gigabyte, $how, $what: time over h5diff's" "$(ratio "$ours" "$h5diff")" \
			"$([ $what = all ] && echo 0.5 || echo 1.3)" times
		bar "peak memory, $how, $what" "$((resident / 1024))" 64 MiB
	done
	rm old.h5 last.h5 all.h5
done
[ "$missed" = 0 ]
