#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The unit tests on a machine that is big-endian (s390x) and on one of 32 bits (i386), under QEMU where this machine does
# not run its programs. Debian's libraries for it are unpacked below build/foreign, of lists of their own: this machine's
# packages stay as they are.
# usage: tests/dist/foreign.sh s390x|i386 [TEST…]
set -euo pipefail
cd "$(dirname "$0")/../.."
arch=$1
shift
top=$PWD/build/foreign/$arch
root=$top/root
case $arch in
s390x) machine=s390x-linux-gnu cflags= loader=lib/ld64.so.1 ;;
# Of doubles, as everywhere else; by itself it counts in 80 bits.
i386) machine=i686-linux-gnu cflags='-msse2 -mfpmath=sse' loader=lib/ld-linux.so.2 ;;
*) echo "foreign: $arch is not known" >&2 && exit 2 ;;
esac

if [ ! -e "$top/unpacked" ]; then
	rm -rf "$root"
	mkdir -p "$root" "$top/lists/partial" "$top/cache/archives/partial"
	: >"$top/status"
	apt-get indextargets --format 'deb [arch='"$arch"'] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | grep ' main$' | sort -u >"$top/sources.list"
	own=(-qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::Etc::SourceList="$top/sources.list"
		-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$top/lists" -o Dir::State::status="$top/status"
		-o Dir::Cache="$top/cache" -o APT::Sandbox::User=)
	# One of the archives may be out of step; what the others lack, the next line says.
	apt-get "${own[@]}" update || true
	apt-get "${own[@]}" install -y --no-install-recommends --download-only libc6-dev libgcc-s1 libgit2-dev libcurl4-openssl-dev \
		libcjson-dev libminizip-dev zlib1g-dev libarchive-dev libssl-dev libsqlite3-dev libyaml-dev libcmocka-dev libmicrohttpd-dev
	for file in "$top"/cache/archives/*.deb; do
		dpkg -x "$file" "$root"
	done
	# The kernel's own way to such a link is the machine's root.
	find "$root" -lname '/*' -printf '%p %l\n' | while read -r link to; do
		ln -sfn "$root$to" "$link"
	done
	rm -rf "$top/cache"
	touch "$top/unpacked"
fi

mkdir -p "$top/bin"
libraries=$root/usr/lib/${machine/i686/i386}
ccache=
! command -v ccache >/dev/null || ccache='ccache '
cat >"$top/bin/$arch-cc" <<-SH
	#!/bin/sh
	exec $ccache$machine-gcc --sysroot=$root -B$libraries/ "\$@" -Wl,--disable-new-dtags,-rpath,$libraries,-rpath-link,$libraries,--dynamic-linker,$root/$loader
SH
chmod +x "$top/bin/$arch-cc"
export PATH=$top/bin:$PATH PKG_CONFIG_LIBDIR=$libraries/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
tests=("$@")
[ $# != 0 ] || { tests=(tests/unit/test_*.c) && tests=("${tests[@]#tests/unit/}") && tests=("${tests[@]%.c}"); }
make -s --no-print-directory "-j$(nproc)" CC="$arch-cc" CFLAGS="-O1 -Wno-maybe-uninitialized $cflags" "build/$arch-cc/"{regild,hub} "${tests[@]/#/build/$arch-cc/unit/}"

# An x86-64 kernel runs programs of i386, and those that they start. What QEMU runs starts none, and with 32 bits
# it finds nothing in folders of ext4, whose places have 64.
qemu=(qemu-"$arch"-static -L "$root")
! "build/$arch-cc/regild" --version >/dev/null 2>&1 || qemu=()
passed=0 failed=0 skipped=0
for test in "${tests[@]}"; do
	if [ ${#qemu[@]} != 0 ] && [[ $test =~ ^test_(hub|interactive) ]]; then
		skipped=$((skipped + 1))
		echo "skip $arch/$test: starts a program, and this machine runs none of $arch"
	elif timeout 600 "${qemu[@]}" "build/$arch-cc/unit/$test" >"$top/said" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $arch/$test" && tail -n 40 "$top/said"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
