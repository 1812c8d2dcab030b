# SPDX-License-Identifier: Apache-2.0
# For the parts that let one operation of regild fail, or kill it, at many points: tests/parts/crash.sh and its
# like. A part sources this with its BUILD_DIR, is in $scratch then, and calls each.
export regild=$PWD/$1/regild-faults REGILD_BUILD=$PWD/$1
export LC_ALL=C
# In memory where there is such a place: thousands of trees are copied and removed.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
scratch=$(mktemp -d)
export scratch HOME=$scratch SCRATCH=$scratch
trap 'rm -rf "$scratch"' EXIT
. tests/cli/lib.sh
. tests/faults/serve.sh
export ROOT

# `make test` takes one point in five, `make test-long` all, a sanitizer build, which is several times as slow, one in
# nine. Where the sample begins moves with the day of the commit, so that all are taken in time.
stride=5
case $1 in *address* | *thread*) stride=9 ;; esac
[ -z "${TEST_LONG:-}" ] || stride=1
day=$(($(git log -1 --format=%ct 2>/dev/null || echo 0) / 86400))
cd "$scratch" || exit 1

# points FIRST LAST [STRIDE] prints those of the sample, at STRIDE where the part has its own.
points() {
	local step=${3:-$stride}
	seq $(($1 + day % step)) "$step" "$2"
}

# says FILE TEXT: is the text in the file?
says() {
	local all
	IFS= read -r -d '' all <"$1"
	[[ $all == *$2* ]]
}

# Runs the function $1 at each of the other points.
run_points() {
	local function=$1 point pid
	shift
	serve
	pid=$server_PID
	for point; do "$function" "$point"; done
	exec {server[1]}>&-
	wait "$pid"
}
export -f faulty says serve run_points
serve

passed=0 failed=0
# each FUNCTION NAME runs the function at each point that comes by stdin, and counts one test. What it prints is
# wrong.
each() {
	local bad tried
	cat >points
	tried=$(wc -l <points)
	bad=$(xargs -P "${TEST_JOBS:-2}" -n 50 bash -c 'run_points "$@"' _ "$1" <points 2>/dev/null) ||
		bad="$bad, and not all were tried: exit code $?"
	[ "$tried" -gt 0 ] || bad="no point is there"
	if [ -z "$bad" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s\n%s\n' "$2" "$bad" | head -n 20
	fi
}

# finish NAME: the count, and which points it was.
finish() {
	echo "$1:$([ "$stride" = 1 ] || echo " one point in $stride, from number $((day % stride + 1)) on (TEST_LONG=1: all)")"
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
}
