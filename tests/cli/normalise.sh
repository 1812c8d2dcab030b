#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replaces what differs from run to run: the scratch folder's path, ports, times; and from one C library to another.
# usage: tests/cli/normalise.sh [-i FILE…]     with -i, in the files
sed -e "s|$SCRATCH|SCRATCH|g" \
	-e 's/127\.0\.0\.1:[0-9][0-9]*/127.0.0.1:PORT/g' \
	-e 's/ ([0-9a-f]\{7\})\( ->\|: \)/ (COMMIT)\1/g' \
	-e 's/process [0-9][0-9]* ended/process PID ended/' \
	-e 's/Symbolic link loop/Too many levels of symbolic links/' \
	-e 's/in [0-9][0-9.]* s$/in TIME s/' "$@"
