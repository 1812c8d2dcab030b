#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make dist`: the static program and the wheel for each architecture, in build/dist/out, and what belongs to a release
# beside them. The same sources and compiler give the same bytes, whatever folder and time they are built in and at.
# usage: [REPOSITORY=OWNER/NAME] release/dist.sh VERSION SCHEMA.json x86_64|aarch64…
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1 schema=$2
shift 2
out=build/dist/out
# The time of all that has one: the last commit's.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
unset CFLAGS CPPFLAGS LDFLAGS

bash release/fetch.sh
rm -rf "$out"
mkdir -p "$out"
cp release/NOTICE "$out"
for file in build/dist/sources/*.debian.tar.*; do
	file=${file##*/}
	echo "== ${file%%_*}"
	tar xOf "build/dist/sources/$file" debian/copyright
	echo
done >"$out/LICENCES"

for arch; do
	bash release/libraries.sh "$arch"
	binutils=
	[ "$arch" = x86_64 ] || binutils=$arch-linux-gnu-
	PATH=$PWD/build/dist/$arch/bin:$PATH PKG_CONFIG_LIBDIR=$PWD/build/dist/$arch/usr/lib/pkgconfig \
		make --no-print-directory STATIC=1 CC="$arch-linux-musl-cc" AR="${binutils}ar" CFLAGS=-O2 \
		"build/$arch-linux-musl-cc/regild"
	"${binutils}strip" -s -R .comment -o "$out/regild-$version-linux-$arch" "build/$arch-linux-musl-cc/regild"
	/usr/bin/python3 python/wheel.py "$version" "$arch" "$out/regild-$version-linux-$arch" "$schema" "$out"
done

bash release/bom.sh "$version" >"$out/regild-$version.spdx.json"
git archive --prefix="regild-$version/" HEAD | gzip -n >"$out/regild-$version.tar.gz"
# The GPL asks for libgit2's sources beside a program that has it in it; the others' are with them.
cut -c 67- release/sources.sha256 | tar -C build/dist/sources --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
	--numeric-owner --mode=0644 -cf "$out/third-party-sources.tar" -T -

# What only a release knows, in the texts that have a place for it.
sum() {
	sha256sum "$out/$1" 2>/dev/null | cut -d ' ' -f 1
}
for file in packaging/Containerfile packaging/regild.rb examples/gh-regild/gh-regild; do
	sed -e "s|@VERSION@|$version|g; s|@REPOSITORY@|${REPOSITORY:-OWNER/regild}|g" \
		-e "s|@SHA256_SOURCE@|$(sum "regild-$version.tar.gz")|" \
		-e "s|@SHA256_x86_64@|$(sum "regild-$version-linux-x86_64")|" \
		-e "s|@SHA256_aarch64@|$(sum "regild-$version-linux-aarch64")|" "$file" >"$out/${file##*/}"
done
(cd "$out" && sha256sum -- * >SHA256SUMS)
cat "$out/SHA256SUMS"
