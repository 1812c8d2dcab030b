# SPDX-License-Identifier: Apache-2.0
# Starts regild once for many faults: the server of tests/faults/wrap.c. For command tests and parts that kill it, or
# let it fail, at many points.

# The server, in the current folder and with the environment as it is now.
serve() {
	coproc server { REGILD_FAULT=serve exec "$REGILD_BUILD/regild-faults"; }
}

# faulty FAULT STDOUT STDERR ARGUMENT…: regild with that fault ("none": without), by the server. Returns its exit code.
faulty() {
	local IFS=$'\t' status
	printf '%s\n' "$*" >&"${server[1]}"
	read -r status <&"${server[0]}" || status=255
	return "$status"
}
