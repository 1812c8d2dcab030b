#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fetches the sources of all that the static program is linked with, as Debian has them, into build/dist/sources, and
# checks them against release/sources.sha256. A machine has no deb-src lines: apt gets a list of its own under
# build/, made of the places that the machine's packages are from.
# usage: release/fetch.sh            what is missing
#        release/fetch.sh --pin      writes release/sources.sha256 anew, of the newest in the archives: read the diff
set -euo pipefail
cd "$(dirname "$0")/.."
pins=$PWD/release/sources.sha256
lists=$PWD/build/dist/apt
mkdir -p "$lists/lists/partial" "$lists/archives/partial" build/dist/sources
cd build/dist/sources

options=(-qq -o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts=/dev/null
	-o Dir::State::Lists="$lists/lists" -o Dir::Cache="$lists" -o APT::Sandbox::User=)

# The security archive last: the others have each of its versions in time, and keep it.
ask_archives() {
	apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' | grep ' main$' | LC_ALL=C sort -ru >"$lists/sources.list"
	[ -s "$lists/sources.list" ] || {
		echo "fetch: Debian's lists of packages are not here: apt-get update first" >&2
		exit 1
	}
	apt-get "${options[@]}" update
}

fetch() {
	apt-get "${options[@]}" source --download-only "$1" 2>&1
}

# newest NAME: its sources; a version that only the list still has, or not yet the archive, is passed over.
newest() {
	local version
	for version in $(apt-cache "${options[@]}" showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rVu); do
		! fetch "$1=$version" >"$lists/log" || return 0
		echo "fetch: $1 $version: $(grep -m 1 '^E:' "$lists/log")" >&2
		rm -f "$1"_*
	done
	return 1
}

if [ "${1-}" = --pin ]; then
	rm -rf ./*
	ask_archives
	for name in bzip2 cjson curl http-parser libarchive libgit2 libyaml libzstd minizip musl openssl sqlite3 xz-utils zlib; do
		newest "$name"
	done
	rm -f ./*.asc
	sha256sum -- * >"$pins"
	exit
fi

! sha256sum --status --check "$pins" 2>/dev/null || exit 0
ask_archives
sed -n 's/^[0-9a-f]*  \(.*\)\.dsc$/\1/p' "$pins" | while IFS=_ read -r name version; do
	# Names of files leave the epoch out, which only zlib's version has.
	[ "$name" != zlib ] || version=1:$version
	[ -s "${name}_${version#*:}.dsc" ] || fetch "$name=$version" >"$lists/log" || {
		cat "$lists/log" >&2
		exit 1
	}
done
sha256sum --quiet --check "$pins"
