# SPDX-License-Identifier: Apache-2.0
# The programs that command tests call most, as functions: the shell does the work itself, by tests/support/shell/, where it
# knows how, and otherwise starts the program. Sourced by tests/worker.sh. TEST_PROGRAMS=1: the programs alone.

if [ -z "${TEST_PROGRAMS:-}" ] && enable -f "$REGILD_BUILD/shell.so" plain 2>/dev/null; then
	for name in basename cat cmp cp cut diff grep head ln mkdir mkfifo mv rm sed seq sort tail tee tr uniq wc; do
		eval "$name() {
			local plain_status=0
			plain $name \"\$@\" || plain_status=\$?
			[ \$plain_status = 125 ] || return \$plain_status
			command $name \"\$@\"
		}"
	done
	unset name
	# The last program of a pipe is run by the shell that waits for it.
	shopt -s lastpipe
fi
