#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reads mutated and truncated files of HDF5, NetCDF and FITS: whatever a library makes of them, the program tells one golden
# after the other and ends as it should.
#
# usage: tests/parts/binary.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
build=$(realpath "$1")
count=500
if ! "$build/regild" version -v | grep -q '^HDF5: read'; then
	echo "skip binary: this build has no reader of HDF5"
	echo "0 passed, 0 failed, 1 skipped"
	exit
fi
folder=$(mktemp -d)
said=$(mktemp)
trap 'rm -rf "$folder" "$said"' EXIT
python3 - "$count" "$folder" fixtures/{hdf5,netcdf,fits}/old/* <<'end'
import os, random, sys

count, folder, sources = int(sys.argv[1]), sys.argv[2], sorted(sys.argv[3:])
random.seed(50)
for i in range(count):
    name = sources[i % len(sources)]
    data = bytearray(open(name, "rb").read())
    if i % 5 == 0:
        del data[random.randrange(9, len(data)) :]
    for _ in range(random.choice([1, 2, 8, 64])):
        at = random.randrange(min(8, len(data) - 1), len(data))
        data[at] = random.choice([0, 255, random.randrange(256)])
    with open(f"{folder}/{i:03}{os.path.splitext(name)[1]}", "wb") as out:
        out.write(data)
end
# What ends a child needs no trace, which takes a second each.
export ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1:handle_segv=0:symbolize=0:max_allocation_size_mb=1024
(cd "$folder" && timeout 120 "$build/regild" check -v ./*) >"$said" 2>&1
code=$?
if { [ $code = 0 ] || [ $code = 1 ] || [ $code = 4 ]; } && grep -q "$count goldens checked" "$said"; then
	echo "1 passed, 0 failed, 0 skipped"
else
	tail -n 20 "$said"
	echo "FAIL binary: $count broken goldens: exit code $code"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
