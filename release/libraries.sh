#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds what the static program is linked with, musl first, out of build/dist/sources into build/dist/ARCH/usr. A
# library that is there is not built again. build/dist/ARCH/bin/ARCH-linux-musl-cc is the compiler.
# usage: release/libraries.sh x86_64|aarch64
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1
sources=$PWD/build/dist/sources
top=$PWD/build/dist/$arch
usr=$top/usr
host=$arch-linux-musl
log=$top/log
mkdir -p "$usr/lib/pkgconfig" "$usr/include" "$top/bin" "$top/src" "$top/done" "$log"
# Nothing is taken from the machine but its compiler.
export PATH=$top/bin:$PATH PKG_CONFIG_LIBDIR=$usr/lib/pkgconfig CC=$host-cc LC_ALL=C TZ=UTC
# OpenSSL tells when it was built: not at a commit's time, as the library stays for the commits that follow.
export SOURCE_DATE_EPOCH=0 MAKEFLAGS=
unset CFLAGS CPPFLAGS LDFLAGS
jobs=-j$(nproc)
case $arch in
x86_64) from=gcc binutils= ;;
*) from=$arch-linux-gnu-gcc binutils=$arch-linux-gnu- ;;
esac
ar=${binutils}ar
ranlib=${binutils}ranlib

# The folder's path is in no program: neither in what __FILE__ says nor in the flags that OpenSSL tells.
compiler() {
	local ccache=
	! command -v ccache >/dev/null || ccache='ccache '
	cat >"$top/bin/$host-cc" <<-SH
		#!/bin/sh
		exec $ccache$from $1 -ffile-prefix-map=$top/src=. -ffile-prefix-map=$usr=/usr "\$@"
	SH
	chmod +x "$top/bin/$host-cc"
}

# library NAME FUNCTION: of Debian's source package NAME, with Debian's patches.
library() {
	local dsc=("$sources/$1"_*.dsc)
	[ ! -e "$top/done/$1" ] || return 0
	echo "  LIB   $arch $1"
	rm -rf "${top:?}/src/$1"
	# Not in front of ||, where a failing command would not end it.
	(
		dpkg-source --no-check -x "${dsc[0]}" "$top/src/$1"
		cd "$top/src/$1"
		"$2"
	) >"$log/$1" 2>&1 </dev/null &
	wait $! || {
		tail -n 30 "$log/$1" | cut -c 1-300 >&2
		echo "libraries: $1 failed for $arch, see above and ${log#"$PWD"/}/$1" >&2
		exit 1
	}
	rm -rf "${top:?}/src/$1"
	touch "$top/done/$1"
}

# archive NAME FLAGS… -- FILE…: lib/libNAME.a of C files, where a library's own build does no more.
archive() {
	local name=$1 flags=() file
	shift
	while [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	shift
	for file; do
		"$CC" -O2 -ffunction-sections -fdata-sections "${flags[@]}" -c "$file" -o "${file%.c}.o"
	done
	"$ar" rcs "$usr/lib/lib$name.a" "${@/%.c/.o}"
}

# described PACKAGE VERSION LIBS [REQUIRES]: for pkg-config.
described() {
	printf 'Name: %s\nDescription: %s\nVersion: %s\nRequires: %s\nLibs: -L%s/lib %s\nCflags: -I%s/include\n' \
		"$1" "$1" "$2" "${4-}" "$usr" "$3" "$usr" >"$usr/lib/pkgconfig/$1.pc"
}

build_musl() {
	CC=$from CFLAGS="-O2 -ffile-prefix-map=$PWD=." CROSS_COMPILE=$binutils \
		./configure --prefix="$usr" --target="$arch" --disable-shared --disable-wrapper
	make "$jobs" AR="$ar" RANLIB="$ranlib" install
	# The compiler, told of this C library instead of its own.
	sh tools/musl-gcc.specs.sh "$usr/include" "$usr/lib" /lib/ld-musl-"$arch".so.1 |
		sed 's/Scrt1/crt1/; s/crtbeginS/crtbeginT/; s/crtendS/crtend/' >"$top/musl.specs"
	# OpenSSL and libarchive ask for the kernel's headers, which belong to no C library.
	cp -r /usr/include/linux /usr/include/asm-generic "$usr/include"
	cp -r "/usr/$arch-linux-gnu/include/asm" "$usr/include" 2>/dev/null || cp -r "/usr/include/$arch-linux-gnu/asm" "$usr/include"
}

build_zlib() {
	archive z -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN -- adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c \
		gzwrite.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
	sed -i 's/^#ifdef HAVE_UNISTD_H.*/#if 1/; s/^#ifdef HAVE_STDARG_H.*/#if 1/' zconf.h
	cp zlib.h zconf.h "$usr/include"
	described zlib 1.2.13 -lz
}

build_bzip2() {
	archive bz2 -D_FILE_OFFSET_BITS=64 -- blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c
	cp bzlib.h "$usr/include"
}

build_xz() {
	./configure --host="$host" --prefix="$usr" --disable-shared --disable-nls --disable-doc --disable-scripts \
		--disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo AR="$ar" RANLIB="$ranlib" \
		CFLAGS='-O2 -ffunction-sections -fdata-sections'
	make "$jobs" install
}

build_zstd() {
	archive zstd -DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_ -DZSTD_LEGACY_SUPPORT=0 -Ilib -- lib/common/*.c lib/compress/*.c lib/decompress/*.c
	cp lib/zstd.h lib/zstd_errors.h "$usr/include"
	described libzstd 1.5.4 -lzstd
}

build_openssl() {
	./Configure "linux-$arch" --prefix=/usr --libdir=lib --openssldir=/etc/ssl --cross-compile-prefix= \
		no-shared no-dso no-engine no-tests no-legacy no-ui-console no-comp no-cms no-ct no-ts no-cmp no-srp no-psk \
		no-dtls no-ssl3 no-idea no-seed no-camellia no-aria no-bf no-cast no-rc2 no-rc4 no-des no-md4 no-mdc2 no-rmd160 \
		no-whirlpool no-sm2 no-sm3 no-sm4 no-gost no-siphash no-blake2 no-ec2m no-scrypt no-srtp no-nextprotoneg \
		no-ocsp no-dgram no-afalgeng no-ktls no-async \
		CC="$CC" AR="$ar" RANLIB="$ranlib" CFLAGS='-O2 -ffunction-sections -fdata-sections' || return 1
	make "$jobs" build_generated
	make "$jobs" libcrypto.a libssl.a
	cp libcrypto.a libssl.a "$usr/lib"
	cp -r include/openssl "$usr/include"
	described libcrypto 3.0 '-lcrypto -pthread'
	described openssl 3.0 -lssl libcrypto
}

build_curl() {
	./configure --host="$host" --prefix="$usr" --disable-shared --enable-static --with-openssl="$usr" --with-zlib="$usr" \
		--without-brotli --without-zstd --without-libpsl --without-libgsasl --without-libssh2 --without-librtmp \
		--without-libidn2 --without-nghttp2 --without-ca-bundle --without-ca-path \
		--disable-ftp --disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict --disable-telnet --disable-tftp \
		--disable-pop3 --disable-imap --disable-smb --disable-smtp --disable-gopher --disable-mqtt --disable-manual \
		--disable-ntlm --disable-ntlm-wb --disable-tls-srp --disable-unix-sockets --disable-doh --disable-alt-svc --disable-hsts \
		--disable-aws --disable-debug AR="$ar" RANLIB="$ranlib" \
		CFLAGS='-O2 -ffunction-sections -fdata-sections'
	make "$jobs" -C lib install
	make -C include install
	make install-pkgconfigDATA
}

# with_cmake TARGET OPTIONS…
with_cmake() {
	cmake -S . -B made -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$arch" -DCMAKE_C_COMPILER="$top/bin/$CC" \
		-DCMAKE_AR="$(command -v "$ar")" -DCMAKE_RANLIB="$(command -v "$ranlib")" \
		-DCMAKE_FIND_ROOT_PATH="$usr" -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
		-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O2 -ffunction-sections -fdata-sections' -DCMAKE_INSTALL_PREFIX="$usr" \
		-DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "${@:2}"
	cmake --build made "$jobs" --target "$1"
}

build_libarchive() {
	with_cmake archive_static -DENABLE_OPENSSL=OFF -DENABLE_LIBB2=OFF -DENABLE_LZ4=OFF -DENABLE_LZO=OFF -DENABLE_NETTLE=OFF -DENABLE_MBEDTLS=OFF \
		-DENABLE_LIBXML2=OFF -DENABLE_EXPAT=OFF -DENABLE_PCREPOSIX=OFF -DENABLE_LIBGCC=OFF -DENABLE_CNG=OFF -DENABLE_ICONV=OFF \
		-DENABLE_ACL=OFF -DENABLE_XATTR=OFF -DENABLE_TAR=OFF -DENABLE_CPIO=OFF -DENABLE_CAT=OFF -DENABLE_TEST=OFF -DENABLE_WERROR=OFF
	cp made/libarchive/libarchive.a "$usr/lib"
	cp libarchive/archive.h libarchive/archive_entry.h "$usr/include"
	described libarchive 3.6.2 '-larchive -lzstd -llzma -lbz2 -lz'
}

# One file of C, the same for each architecture, made by programs of this machine.
build_sqlite() {
	CC=gcc ./configure --disable-tcl --disable-shared --disable-readline --disable-load-extension
	make CC=gcc sqlite3.c
	archive sqlite3 -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DHAVE_USLEEP=1 -DHAVE_FDATASYNC=1 -- sqlite3.c
	cp sqlite3.h "$usr/include"
	described sqlite3 3.40.1 '-lsqlite3 -pthread -lm'
}

build_libyaml() {
	archive yaml -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 '-DYAML_VERSION_STRING="0.2.5"' \
		-Iinclude -- src/*.c
	cp include/yaml.h "$usr/include"
	described yaml-0.1 0.2.5 -lyaml
}

build_cjson() {
	archive cjson -DENABLE_LOCALES -- cJSON.c
	mkdir -p "$usr/include/cjson"
	cp cJSON.h "$usr/include"
	cp cJSON.h "$usr/include/cjson"
	described libcjson 1.7.15 '-lcjson -lm'
}

build_minizip() {
	archive minizip -DHAVE_BZIP2=0 -- ioapi.c mztools.c unzip.c zip.c
	mkdir -p "$usr/include/minizip"
	cp ioapi.h mztools.h unzip.h zip.h "$usr/include/minizip"
	described minizip 1.1 -lminizip zlib
}

build_http_parser() {
	archive http_parser -- http_parser.c
	cp http_parser.h "$usr/include"
}

# What regild does not use of it, servers, is left out as far as it goes: it needs a parser of HTTP anyway.
build_libgit2() {
	with_cmake all -DUSE_HTTPS=OFF -DUSE_SSH=OFF -DUSE_GSSAPI=OFF -DUSE_NTLMCLIENT=OFF -DUSE_ICONV=OFF -DREGEX_BACKEND=regcomp \
		-DUSE_HTTP_PARSER=system -DUSE_SHA1=CollisionDetection -DUSE_SHA256=Builtin -DUSE_BUNDLED_ZLIB=OFF \
		-DBUILD_TESTS=OFF -DBUILD_CLI=OFF -DBUILD_EXAMPLES=OFF
	cmake --install made
}

compiler ''
library musl build_musl
compiler "-specs=$top/musl.specs -static -fno-pie -no-pie"
library zlib build_zlib
library bzip2 build_bzip2
library xz-utils build_xz
library libzstd build_zstd
library libyaml build_libyaml
library cjson build_cjson
library minizip build_minizip
library sqlite3 build_sqlite
library libarchive build_libarchive
library http-parser build_http_parser
library libgit2 build_libgit2
library openssl build_openssl
library curl build_curl
