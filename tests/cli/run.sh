#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Whole-command tests. A test is tests/cli/AREA/NAME.sh; beside it lie NAME.out and NAME.err, the exact
# stdout and stderr (a missing one: empty), and the script's last line says the exit code it
# expects ("# exit: 2"; none: 0).
#
# usage: tests/cli/run.sh [--update] BUILD_DIR [AREA/NAME …]
#   --update   writes what is printed now over NAME.out and NAME.err: `make check-update`, then read
#              the diff.
#
# A script runs under bash -e in an empty folder of its own, with tests/cli/lib.sh loaded: see there
# for what it can use. The folder's path, ports and other things that differ from run to run are
# replaced in what it printed (tests/cli/normalise.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
writes=
if [ "$1" = --update ]; then
	writes=1
	shift
fi
. tests/queue.sh "$1"
update=$writes
shift
if [ $# -gt 0 ]; then
	printf 'cli %s\n' "$@"
else
	printf '%s\n' tests/cli/*/*.sh | sed 's|tests/cli/\(.*\)\.sh|cli \1|'
fi | queue
echo "command tests:"
total
