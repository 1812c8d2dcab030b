#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pins a release's programs for action.yml: "SHA256  URL  VERSION  ARCH" each, the newest last. The release's workflow
# commits what this writes.
#
# usage: release/pin.sh VERSION URL SHA256SUMS    (URL: the folder that the release's files are in)
set -eu
cd "$(dirname "$0")/.."
version=$1 url=$2
added=$(awk -v version="$version" -v url="$url" 'index($2, "regild-" version "-linux-") == 1 && length($1) == 64 {
	print $1 "  " url "/" $2 "  " version "  " substr($2, length("regild-" version "-linux-") + 1) }' "$3")
[ "$added" ] || { echo "release/pin.sh: $3 has no program of version $version" >&2; exit 1; }
printf '%s\n' "$added" >>release/pinned.sha256
