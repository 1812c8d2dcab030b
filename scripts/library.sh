#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints where a shared library is that the program loads when it is first asked for: its path, by the name that a
# linked program would ask for.
# usage: scripts/library.sh CC PACKAGE [LIBRARY]     PACKAGE: as pkg-config knows it; LIBRARY: libNAME, where that differs
set -eu
library=${3:-$2}
if [ "$(uname -s)" = Darwin ]; then
	file=$("$1" $(pkg-config --libs-only-L "$2") -print-file-name="$library.dylib")
	# The system's own are in no file.
	if [ -e "$file" ]; then otool -D "$file" | tail -n 1; else echo "/usr/lib/$library.dylib"; fi
	exit
fi
file=$("$1" $(pkg-config --libs-only-L "$2") -print-file-name="$library.so")
# The compiler looks in its own folders alone.
for folder in $(pkg-config --libs-only-L "$2" | sed 's/-L//g'); do
	[ ! -e "$folder/$library.so" ] || file=$folder/$library.so
done
file=$(readlink -f "$file")
folder=$(dirname "$file")
name=$(objdump -p "$file" | sed -n 's/^ *SONAME *//p')
[ -n "$name" ] && [ -e "$folder/$name" ] || {
	echo "$library is no shared library in $folder" >&2
	exit 1
}
echo "$folder/$name"
