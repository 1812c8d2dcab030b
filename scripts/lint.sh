#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Everything that reads the code without running it. The slow check, clang-tidy, reads the files that
# changed since the branch left origin/main; with --all it reads every file. The last line counts the checks.
# usage: scripts/lint.sh [--all]
set -u
cd "$(dirname "$0")/.." || exit 1
everything=${1:-}
passed=0 failed=0 skipped=0

# A line for each folder: whose headers its files may include, besides their own folder's. lib/flow may include all
# of lib, and cmd all but lib/net and lib/store; nothing in lib knows cmd. lib/golden includes lib/archive because
# .npz is a zip.
arrows() {
	cat <<-'end'
		base:
		golden:   base archive
		worktree: base
		archive:  base
		net:      base
		compare:  base golden
		config:   base worktree
		store:    base golden net audit
		place:    base golden config worktree archive
		source:   base golden config worktree archive net place store
		update:   base golden compare worktree source
		audit:    base golden compare
		story:    base golden compare audit
		report:   base golden compare audit story
		flow:     base golden compare config worktree archive net place store source update audit story report
		cmd:      base golden compare config worktree archive place source update audit story report flow
	end
}

# The other libraries, and the folders that may know them. Goldens and the settings beside them are in YAML;
# lib/base bounds what libyaml makes of either.
libraries() {
	cat <<-'end'
		git2.h     worktree
		curl/      net
		sqlite3.h  store
		zlib.h     base archive golden place
		minizip/   archive
		archive    archive
		openssl/   base source store
		yaml.h     base config golden
		hdf5.h     golden
		netcdf.h   golden
		fitsio.h   golden
		seccomp.h  golden
	end
}

check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL lint/%s\n%s\n' "$name" "$output" | head -n 60
	fi
}

# tool NAME CHECK FUNCTION: runs where the tool is there, says so where it is not.
tool() {
	if command -v "$1" >/dev/null 2>&1; then
		check "$2" "$3"
	else
		skipped=$((skipped + 1))
		echo "skip lint/$2: $1 is not installed"
	fi
}

sources() {
	git ls-files -- '*.c' '*.h'
}

formatted() {
	sources | xargs -P 2 -n 60 clang-format --dry-run --Werror
}

flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Ilib -Icmd -Itests -Iscripts
	'-DREGILD_VERSION="lint"' '-DREGILD_LIBCURL="lint"' '-DREGILD_LIBARCHIVE="lint"' '-DREGILD_LIBRARY="lint"')
read -ra packages < <(pkg-config --cflags ${PACKAGES:?run make lint})
flags+=("${packages[@]}")

headers_alone() {
	git ls-files -- '*.h' | xargs -P 2 -n 20 "${CC:-cc}" "${flags[@]}" -Wall -Wextra -fsyntax-only -x c
}

# Functions that overrun, hide errors or are not safe with threads.
banned_functions() {
	! sources | xargs grep -nE \
		'\b(gets|strcpy|strcat|strncpy|strncat|sprintf|vsprintf|strtok|atoi|atol|atoll|atof|tmpnam|mktemp|alloca|system|popen|setlocale|gmtime|localtime|asctime|ctime|strerror|rand|srand)\(' |
		grep -vE '^[^:]+:[0-9]+:\s*(\*|/\*|//)'
}

# Nothing in lib/ prints or exits, but for a process of which that is the whole life.
library_is_quiet() {
	! git ls-files -- 'lib/*.c' ':!lib/golden/binary/child.c' ':!lib/golden/binary/wire.c' ':!lib/golden/binary/sandbox.c' | xargs grep -nE '\b(printf|puts|putchar|perror|exit|abort|_exit)\(|\b(stdout|stderr)\b' |
		grep -vE '^[^:]+:[0-9]+:\s*(\*|/\*|//)'
}

# "FILE INCLUDED" for each file of ours that one in lib/ or cmd/ includes, both without lib/.
includes() {
	git grep -E '^#include "' -- 'lib/*' 'cmd/*' |
		sed -nE 's/^(lib\/)?([^:]+):#include "([^"]+)".*/\2 \3/p' |
		awk '$2 !~ /\// { folder = $1; sub(/[^\/]*$/, "", folder); $2 = folder $2 } { print }'
}

# Folders include each other only along the arrows.
arrows_hold() {
	awk '
		NR == FNR { from = $1; sub(/:/, "", from); known[from] = 1
			for (i = 2; i <= NF; i++) allowed[from, $i] = 1; next }
		{ split($1, a, "/"); split($2, b, "/") }
		!(a[1] in known) { print $1 ": its folder is not in the table of arrows"; bad = 1; next }
		a[1] != b[1] && !((a[1], b[1]) in allowed) { print $1 " includes " $2; bad = 1 }
		END { exit bad }
	' <(arrows) <(includes)
}

libraries_hold() {
	local header folders status=0
	while read -r header folders; do
		git grep -nE "^#include <$header" -- 'lib/*' 'cmd/*' |
			grep -vE "^lib/(${folders// /|})/" && status=1
	done < <(libraries)
	return $status
}

# No two files of a folder need each other. A file is a .c with its .h; a header without a .c, as a folder's
# internal.h, counts as part of the file that includes it.
circles() {
	local folder status=0
	includes | awk '
		{ from = $1; sub(/\.(c|h|inc)$/, "", from); sub(/\.(c|h|inc)$/, "", $2) }
		$1 ~ /\.c$/ { has_code[from] = 1 }
		from != $2 { to[from] = to[from] " " $2 }
		function follow(top, at,   n, i, files) {
			n = split(to[at], files, " ")
			for (i = 1; i <= n; i++) {
				if (files[i] == top || seen[top, files[i]]++)
					continue
				if (files[i] in has_code || !(top in has_code))
					print top, files[i]
				else
					follow(top, files[i])
			}
		}
		END { for (file in to) follow(file, file) }' >"$scratch/needs"
	while IFS=: read -r folder _; do
		grep "^$folder/[^ ]* $folder/" "$scratch/needs" | tsort >/dev/null || status=1
	done < <(arrows)
	return $status
}

# "FROM TO SYMBOL" for each object of a folder that uses what another one of it defines.
uses() {
	local source objects=()
	for source in $(git ls-files -- "$1/*.c"); do
		# Not all are compiled: what a library is read with, or what says that it is not there.
		[ ! -e "$OBJECTS/${source%.c}.o" ] && [[ $source == */binary/* ]] || objects+=("$OBJECTS/${source%.c}.o")
	done
	nm -A -P -g "${objects[@]}" | awk '
		{ file = $1; sub(/:$/, "", file); sub(/\.o$/, "", file); sub(/.*\//, "", file) }
		$3 == "U" { used[++count] = file " " $2; next }
		{ of[$2] = file }
		END {
			for (i = 1; i <= count; i++) {
				split(used[i], use, " ")
				if (use[2] in of && of[use[2]] != use[1])
					print use[1], of[use[2]], use[2]
			}
		}'
}

# Nor do they by what they call and read, which headers that several share would hide.
symbol_circles() {
	local folder status=0
	: "${OBJECTS:?run make lint}"
	while IFS=: read -r folder _; do
		[ "$folder" = cmd ] || folder=lib/$folder
		uses "$folder" >"$scratch/uses"
		cut -d ' ' -f 1,2 "$scratch/uses" | tsort 2>&1 >/dev/null | sed 's/^tsort: //' >"$scratch/circles"
		[ -s "$scratch/circles" ] || continue
		status=1
		awk -v folder="$folder" 'NR == FNR { circle[$1] = 1; next }
			($1 in circle) && ($2 in circle) { print folder "/" $1 ".c needs " $3 " of " $2 ".c" }' \
			"$scratch/circles" "$scratch/uses"
	done < <(arrows)
	return $status
}

# No variable is called new: comments and texts are blanked out, then the word is looked for.
no_new() {
	git ls-files -- '*.c' '*.h' '*.inc' | xargs awk '
		FNR == 1 { comment = 0 }
		{
			line = $0; code = ""
			while (line != "") {
				if (comment) {
					if (!(end = index(line, "*/")))
						break
					comment = 0
					line = substr(line, end + 2)
				} else if (match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*/)) {
					code = code substr(line, 1, RSTART - 1) " "
					comment = substr(line, RSTART, 2) == "/*"
					line = substr(line, RSTART + RLENGTH)
				} else {
					code = code line
					line = ""
				}
			}
			if (code ~ /(^|[^A-Za-z0-9_])new([^A-Za-z0-9_]|$)/) {
				print FILENAME ":" FNR ": " $0
				bad = 1
			}
		}
		END { exit bad }'
}

# The .c files that clang-tidy reads: all, or those that changed, or whose header did, since the branch left
# origin/main (since the last commit, where it has not).
tidy_files() {
	local base
	if [ "$everything" = --all ]; then
		git ls-files -- 'lib/*.c' 'cmd/*.c'
		return
	fi
	base=$(git merge-base HEAD origin/main 2>/dev/null)
	if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
		base=$(git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)
	fi
	{
		git diff --name-only "$base" -- 'lib/*.[ch]' 'cmd/*.[ch]'
		git ls-files --others --exclude-standard -- 'lib/*.[ch]' 'cmd/*.[ch]'
	} | sed 's/\.h$/.c/' | sort -u | while read -r file; do [ ! -e "$file" ] || echo "$file"; done
}

tidy() {
	tidy_files | xargs -r -P 2 -n 4 sh -c \
		'flags=$1; shift; exec clang-tidy --quiet "$@" -- $flags 2>/dev/null' _ "${flags[*]}"
}

# WERROR=1 makes warnings errors, CI sets it, and without it they are none.
warnings_fail_in_ci() {
	local object=${OBJECTS:?run make lint}/lib/base/buf.o
	make -n -W lib/base/buf.c "$object" WERROR= | grep -q -e -Werror && echo "warnings are errors without WERROR=1" && return 1
	make -n -W lib/base/buf.c "$object" WERROR=1 | grep -q -e -Werror || { echo "WERROR=1 has no effect" && return 1; }
	grep -qx 'export WERROR=1' .ci/run || { echo ".ci/run does not set WERROR=1" && return 1; }
}

shell_scripts_parse() {
	local script status=0
	while read -r script; do
		bash -n "$script" || status=1
	done < <(git ls-files -- '*.sh' .ci/run)
	return $status
}

# Each source file and script says under which licence it is, in its first lines.
licensed() {
	git ls-files -- '*.c' '*.h' '*.inc' '*.sh' '*.mjs' .ci/run Makefile | xargs awk '
		FNR == 1 && NR > 1 && !found { print last ": no SPDX line at its head"; missing = 1 }
		FNR == 1 { found = 0; last = FILENAME }
		FNR <= 2 && /^(\/\*|\/\/|#) SPDX-License-Identifier: Apache-2\.0( \*\/)?$/ { found = 1 }
		END { exit missing }'
}

# Files and folders that the pages for contributors name are there. NAME and AREA stand for any name.
named_files() {
	local page name status=0
	for page in README.md ARCHITECTURE.md CONTRIBUTING.md tests/README.md; do
		while read -r name; do
			compgen -G "$(sed 's/NAME\|AREA/*/g' <<<"$name")" >/dev/null || {
				echo "$page: $name is not there"
				status=1
			}
		done < <(grep -oE '`[^` ]+`' "$page" | tr -d '`' | sort -u |
			grep -E '^((\.ci|cmd|fixtures|lib|man|scripts|share|templates|tests)/.*|[A-Z]+\.md)$')
	done
	return $status
}

# mandoc and groff read the manuals to their ends. mandoc names what would be lost, and groff the macros in running
# text, as in ".Ss Do runs". A long word that leaves its line short is no fault.
manuals_mandoc() {
	git ls-files -- 'man/*.[1-9]' | xargs mandoc -T lint -W warning
}

manuals_groff() {
	local page output status=0
	for page in $(git ls-files -- 'man/*.[1-9]'); do
		output=$(groff -ww -W break -mdoc -Kutf8 -Tutf8 -z "$page" 2>&1) && [ -z "$output" ] && continue
		printf '%s:\n%s\n' "$page" "$output"
		status=1
	done
	return $status
}

# A quotation goes to its line's end: a macro in it, as "No" in ".Ql 1% No or", would be quoted with it.
quotations_end() {
	! git grep -nE '^\.(.* )?(Ql|Sq|Dq) (.* )?(Ar|Cm|Em|Ev|Fl|Nm|No|Pa|Ql|Sq|Sx|Xr) ' -- 'man/*' | grep -v 'Ns Ar'
}

# An English word that is a macro too, in a title or what is emphasised, needs "\&" before it: "In", "Do", "An".
titles_are_text() {
	! git grep -nE '^\.(Ss|Sh|Em|Sy|Nd|Dq) (.* )?(An|At|Do|Es|Ex|In|It|Me|No|Re|So)( |$)' -- 'man/*'
}

# The README is read to its end.
readme_is_short() {
	local lines
	lines=$(wc -l <README.md)
	[ "$lines" -le 120 ] || { echo "README.md: $lines lines, more than 120: the manuals have room" && return 1; }
}

# No folder has more lines than ARCHITECTURE.md's table of budgets gives it, and each has a row.
budgets_hold() {
	local folder budget lines status=0
	while IFS=: read -r folder _; do
		[ "$folder" = cmd ] || folder=lib/$folder
		budget=$(sed -n "s|^. \`$folder/\` . \([0-9]*\) .$|\1|p" ARCHITECTURE.md)
		lines=$(git ls-files -z -- "$folder/*.c" "$folder/*.h" | xargs -0 cat | wc -l)
		[ "$lines" -le "${budget:-0}" ] || {
			echo "$folder: $lines lines, more than the budget of ${budget:-none} in ARCHITECTURE.md"
			status=1
		}
	done < <(arrows)
	return $status
}

no_local_paths() {
	! git ls-files | xargs grep -nIE '(^|[^A-Za-z])/(root|work|home/[a-z]+)/' -- | grep -v '^scripts/lint.sh:'
}

# npm asks whatever registry it is told to: `npm install --omit-lockfile-registry-resolved` names none.
no_registry() {
	! grep -n '://' tests/browser/package-lock.json
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tool clang-format formatted formatted
check headers-alone headers_alone
check banned-functions banned_functions
check library-is-quiet library_is_quiet
check arrows arrows_hold
check libraries libraries_hold
check circles circles
check symbol-circles symbol_circles
check no-new no_new
tool clang-tidy tidy tidy
check warnings-fail-in-ci warnings_fail_in_ci
check shell-scripts shell_scripts_parse
check licensed licensed
check named-files named_files
tool mandoc manuals-mandoc manuals_mandoc
tool groff manuals-groff manuals_groff
check quotations-end quotations_end
check titles-are-text titles_are_text
check readme-is-short readme_is_short
check budgets budgets_hold
check no-local-paths no_local_paths
check no-registry no_registry
echo "lint:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
