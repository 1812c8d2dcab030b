#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Models, tensors and opaque files of hundreds of megabytes take less than 64 MB of memory, whatever their format and
# wherever they are. Models and float64 tensors of 69 MB, which do not fit, prove that as well; `make test-long` has 600 and
# 200, and the other types. What tables and JSON take is in tests/bench/formats.bench.sh. Reports are held to bytes a row.
# usage: tests/parts/large-memory.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
build=$top/$1
PATH=$build:$build/bench:$PATH
export LC_ALL=C
models=66 rows=870 types=f8
[ -z "${TEST_LONG:-}" ] || models=600 rows=2500 types='f2 f4 f8'
scratch=$(mktemp -d -p "${TEST_DISK:-${TMPDIR:-/tmp}}")
export HOME=$scratch TMPDIR=$scratch
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

skip() {
	echo "large-memory tests: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
case $1 in *address* | *thread*) skip "a sanitizer takes more memory itself" ;; esac
[ "$(df -kP . | awk 'END { print $4 }')" -gt $((8 << 20)) ] || skip "they need 8 GB of disk"

passed=0 failed=0
# small NAME COMMAND: what it takes at most. Ends with 0, 1 (they differ) or 4.
small() {
	local resident
	if read -r _ _ resident < <(measure 0 "$2" 2>errors) && [ "$resident" -lt $((64 << 10)) ] &&
		! grep -q unreadable errors; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: ${resident:-no} KiB"
		cat errors
	fi
}

export REGILD_TOP=$top
. "$top/tests/formats/goldens.sh"
large_models old $models
large_models new $models
printf X | dd of=new/qnn/m.pte bs=1 seek=$((models * 800000)) conv=notrunc 2>/dev/null
small pack "regild executorch pack old -o old.zip"
small pack "regild executorch pack new -o new.zip"
small verify "regild executorch verify old.zip"
small unpack "regild executorch unpack old.zip -o unpacked"
cmp old/qnn/m.pte unpacked/qnn/m.pte || failed=$((failed + 1))
rm -r unpacked
small "compare folders" "regild compare old new"
small "compare zips" "regild compare old.zip new.zip"
tar -cf old.tar -C old .
tar -cf new.tar -C new .
small "compare tars" "regild compare zip:old.tar zip:new.tar"
rm old.tar new.tar
zip -q old-outer.zip old.zip
zip -q new-outer.zip new.zip
small "verify a zip in a zip" "regild executorch verify old-outer.zip"
small "compare zips in zips" "regild compare old-outer.zip new-outer.zip"
rm -- *.zip
(cd old && zip -q0 ../old.zip qnn/*) && (cd new && zip -q0 ../new.zip qnn/*)
rm -r old new
# In place: no file of more than a megabyte is written.
small "compare stored zips" "ulimit -f 2000; regild compare old.zip new.zip"
zip -q0 old-outer.zip old.zip
zip -q0 new-outer.zip new.zip
small "compare stored zips in zips" "ulimit -f 2000; regild compare old-outer.zip new-outer.zip"
rm -- *.zip

# A tensor: so many rows of 10000 numbers of 8 bytes.
bytes=$((rows * 80000))
# grow NAME: as many zeros follow what it has.
grow() {
	truncate -s $((bytes + $(stat -c %s "$1"))) "$1"
}
npy() {
	printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '$2', 'fortran_order': $3, 'shape': $4, }" >"$1"
	grow "$1"
}
differ() {
	printf '\100' | dd of="$1" bs=1 seek=$((bytes / 4 * 3)) conv=notrunc 2>/dev/null
}
for type in $types; do
	shape="($((rows * 8 / ${type#f})), 10000)"
	npy c.npy "<$type" False "$shape"
	npy f.npy "<$type" True "$shape"
	cp f.npy g.npy
	differ g.npy
	small "$type in Fortran order" "regild compare f.npy g.npy"
	small "$type in both orders" "regild compare c.npy g.npy"
done
npy b.npy '>f8' False "($rows, 10000)"
small 'both byte orders' "regild compare b.npy c.npy"
printf '\116\0\0\0\0\0\0\0{"t": {"dtype": "BF16", "shape": [%9d], "data_offsets": [0, %9d]}}' \
	"$((bytes / 2))" "$bytes" >old.safetensors
grow old.safetensors
cp old.safetensors new.safetensors
differ new.safetensors
small safetensors "regild compare old.safetensors new.safetensors"
: >old.bin
grow old.bin
cp old.bin new.bin
differ new.bin
small 'raw tensors' "regild compare --dtype bfloat16 old.bin new.bin"
cp old.bin old.opaque
cp new.bin new.opaque
small 'opaque files' "regild compare old.opaque new.opaque"
rm -f -- *.opaque *.bin *.safetensors *.npy

# Reports of 25,000 rows: what each takes beyond the comparison is, with a page's curves (600,000 points, whatever the rows
# are), at most so many bytes a row.
if [ -n "${TEST_LONG:-}" ]; then
	goldens old 0 5000 1
	goldens new 0 5000 2
	read -r _ _ alone < <(measure 0 "regild compare -q old new")
	for bar in csv:200 json:1900 markdown:1400 html:2000; do
		read -r _ _ resident < <(measure 0 "regild compare -q old new --${bar%:*} report")
		each=$(((resident - alone) * 1024 / 25000))
		if [ "$each" -le "${bar#*:}" ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAIL --${bar%:*}: $each bytes a row, of ${bar#*:}"
		fi
	done
fi
echo "large-memory tests:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
