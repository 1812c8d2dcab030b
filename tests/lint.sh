#!/bin/bash
# Everything that reads the code without running it. Ends with a line that counts what passed.
set -u
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 skipped=0

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
	sources | xargs clang-format --dry-run --Werror
}

read -ra packages < <(pkg-config --cflags libgit2 libcurl libcjson minizip zlib libcrypto cmocka libmicrohttpd)
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Ilib -Icmd -Itests
	'-DREGILD_VERSION="lint"' "${packages[@]}")

headers_alone() {
	local header status=0
	while read -r header; do
		${CC:-cc} "${flags[@]}" -Wall -Wextra -fsyntax-only -x c "$header" || status=1
	done < <(git ls-files -- '*.h')
	return $status
}

# Functions that overrun, hide errors or are not safe with threads.
banned_functions() {
	! sources | xargs grep -nE \
		'\b(gets|strcpy|strcat|strncpy|strncat|sprintf|vsprintf|strtok|atoi|atol|atoll|atof|tmpnam|mktemp|alloca|system|popen|setlocale|gmtime|localtime|asctime|ctime|rand|srand)\(' |
		grep -vE '^[^:]+:[0-9]+:\s*(\*|/\*|//)'
}

# Nothing in lib/ prints, exits or knows cmd/.
library_is_quiet() {
	! git ls-files -- 'lib/*.c' | xargs grep -nE '\b(printf|puts|putchar|perror|exit|abort|_exit)\(|\b(stdout|stderr)\b' |
		grep -vE '^[^:]+:[0-9]+:\s*(\*|/\*|//)'
}

layers() {
	! git ls-files -- 'lib/golden/*.[ch]' 'lib/compare/*.[ch]' 'lib/base/*.[ch]' |
		xargs grep -nE '#include "(worktree|net|source|update|cmd|report|archive)/|git2.h|curl/curl.h'
}

tidy() {
	git ls-files -- 'lib/*.c' 'cmd/*.c' | xargs -P 2 -n 4 sh -c \
		'flags=$1; shift; exec clang-tidy --quiet "$@" -- $flags 2>/dev/null' _ "${flags[*]}"
}

shell_scripts_parse() {
	local script status=0
	while read -r script; do
		bash -n "$script" || status=1
	done < <(git ls-files -- '*.sh' .ci/run)
	return $status
}

no_local_paths() {
	! git ls-files | xargs grep -nIE '(^|[^A-Za-z])/(root|work|home/[a-z]+)/' -- | grep -v '^tests/lint.sh:'
}

tool clang-format formatted formatted
check headers-alone headers_alone
check banned-functions banned_functions
check library-is-quiet library_is_quiet
check layers layers
tool clang-tidy tidy tidy
check shell-scripts shell_scripts_parse
check no-local-paths no_local_paths
echo "lint:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
