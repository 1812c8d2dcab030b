# SPDX-License-Identifier: Apache-2.0
# Loaded by every script that runs tests, in front of its own settings: an environment without the
# caller's.

for name in $(compgen -e); do
	case $name in
	GITHUB_* | GH_* | GITLAB_* | CLICKHOUSE_* | CI | CI_* | RO_API_TOKEN | GIT_* | REGILD_* | XDG_* | *_proxy | *_PROXY | NO_COLOR | COLUMNS | POSIXLY_CORRECT | CDPATH) unset "$name" ;;
	esac
done
export GIT_CONFIG_NOSYSTEM=1
# What a test shows, on a terminal or in a browser, does not wait for anybody.
export PAGER=cat BROWSER=true

# A version manager's python3 is a script that looks for the real one, each time with thirty processes.
if IFS= read -r -n 2 name 2>/dev/null <"$(type -p python3)" && [ "$name" = '#!' ]; then
	name=$(python3 -c 'import sys; print(sys.executable)') && PATH=${name%/*}:$PATH
fi
unset name

# Only what is found beside others' leaks is printed.
LSAN_OPTIONS=print_suppressions=0:suppressions=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/support/leaks
export LSAN_OPTIONS

# In front of a command that signals are sent to: in the background and under nohup they are ignored, which
# no shell can undo.
default_signals=
! env --default-signal=INT,QUIT,HUP true 2>/dev/null || default_signals='env --default-signal=INT,QUIT,HUP'
export default_signals

# eventually COMMAND… runs it until it succeeds; gives up after a minute, which is ample on the slowest
# machine, and fails.
eventually() {
	local tries
	for ((tries = 0; tries < 1200; tries++)); do
		! "$@" || return 0
		pause
	done
	return 1
}
# A twentieth of a second, without a process where the tests' queue has made a pipe to which nobody writes.
pause() {
	if [ -p "${results:-}/never" ]; then
		read -t 0.05 -r _ <>"$results/never" || true
	else
		sleep 0.05
	fi
}
export -f eventually pause

# Makes a folder for thousands of small files and prints its name: in memory, if there are two gigabytes of it.
scratch_of_memory() {
	local place=${TMPDIR:-/tmp}
	[ "$(df -kP /dev/shm 2>/dev/null | awk 'END { print $4 + 0 }')" -lt $((2 << 20)) ] || [ ! -w /dev/shm ] || place=/dev/shm
	mktemp -d "$place/tmp.XXXX"
}
