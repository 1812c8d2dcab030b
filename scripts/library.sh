#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints where a shared library is that the program loads when it is first asked for: its path, by the name that a
# linked program would ask for.
# usage: scripts/library.sh CC PACKAGE     PACKAGE: libNAME, as pkg-config knows it
set -eu
if [ "$(uname -s)" = Darwin ]; then
	file=$("$1" $(pkg-config --libs-only-L "$2") -print-file-name="$2.dylib")
	# The system's own are in no file.
	if [ -e "$file" ]; then otool -D "$file" | tail -n 1; else echo "/usr/lib/$2.dylib"; fi
	exit
fi
file=$("$1" $(pkg-config --libs-only-L "$2") -print-file-name="$2.so")
folder=$(cd "$(dirname "$file")" && pwd -P)
name=$(objdump -p "$file" | sed -n 's/^ *SONAME *//p')
[ -n "$name" ] && [ -e "$folder/$name" ] || {
	echo "$2 is no shared library in $folder" >&2
	exit 1
}
echo "$folder/$name"
