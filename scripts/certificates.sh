#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the compiler's flag that has lib/worktree/worktree.c stand in for mbedTLS's reader of certificate
# files: where libgit2 uses mbedTLS and no other library of the program does. Prints nothing elsewhere.
# usage: scripts/certificates.sh CC PACKAGE…     the names by which pkg-config knows the libraries
set -eu
command -v ldd >/dev/null && command -v objdump >/dev/null || exit 0
cc=$1
shift
flags=$(pkg-config --libs "$@")
for flag in $flags; do
	case $flag in -l*) "$cc" $flags -print-file-name="lib${flag#-l}.so" ;; esac
done | while read -r library; do
	# A library's own needs, and those of what it needs.
	{ echo "$library"; ldd "$library" 2>/dev/null | sed -n 's/.* => \(\/.*\) (0x.*/\1/p'; }
done | sort -u | while read -r library; do
	! objdump -p "$library" | grep -q 'NEEDED *libmbedx509' || basename "$library"
done | sed '/^libmbed/d; s/\.so.*//' | sort -u | {
	read -r user || exit 0
	! read -r _ && [ "$user" = libgit2 ] || exit 0
	echo -DREGILD_ONLY_LIBGIT2_USES_MBEDTLS
}
