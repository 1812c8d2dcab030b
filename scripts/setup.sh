#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need and this machine lacks. Silent when nothing is missing.
# usage: scripts/setup.sh PACKAGE…, the names by which pkg-config knows the libraries
set -eu

missing_tools=
for tool in gcc make git pkg-config; do
	command -v "$tool" >/dev/null 2>&1 || missing_tools="$missing_tools $tool"
done
if [ -z "$missing_tools" ] && pkg-config --exists "$@"; then
	exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
	echo "setup: some of these are missing: libgit2, libcurl, cJSON, minizip, zlib, libarchive," >&2
	echo "setup: OpenSSL's libcrypto, SQLite, libyaml, cmocka, libmicrohttpd, pkg-config; README.md names the packages" >&2
	exit 1
fi

run=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null 2>&1 || {
		echo "setup: packages are missing and neither root nor sudo is there to install them" >&2
		exit 1
	}
	run=sudo
fi
echo "setup: installing the libraries that are missing (apt)"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $run apt-get update && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y \
	--no-install-recommends build-essential pkg-config git ca-certificates libgit2-dev \
	libcurl4-openssl-dev libcjson-dev libminizip-dev zlib1g-dev libarchive-dev libssl-dev libsqlite3-dev libyaml-dev \
	libcmocka-dev libmicrohttpd-dev cmark-gfm flatbuffers-compiler python3-numpy \
	python3-gitlab gh; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	echo "setup: apt-get failed, see above" >&2
	exit 1
fi
