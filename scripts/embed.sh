#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a C file that holds the given templates: struct rg_template { name, text } rg_templates[].
set -eu
echo '/* Made from templates/ by scripts/embed.sh. */'
echo '#include "base/templates.h"'
n=0
for file in "$@"; do
	printf 'static const char text_%d[] = {' "$n"
	od -An -v -tu1 "$file" | sed 's/[0-9][0-9]*/(char)&,/g'
	echo '0};'
	n=$((n + 1))
done
echo 'const struct rg_template rg_templates[] = {'
n=0
for file in "$@"; do
	printf '\t{"%s", text_%d},\n' "${file##*/}" "$n"
	n=$((n + 1))
done
printf '\t{0, 0},\n};\n'
