#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Write N fails in a download, cold, out of the cache and out of folders and archives: never a crash, and what is
# staged then is what is staged without the fault, or its absence is said.
# usage: tests/parts/download-disk.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
export regild=$top/$1/regild-faults REGILD_BUILD=$top/$1
export LC_ALL=C
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
SCRATCH=$(mktemp -d)
export SCRATCH HOME=$SCRATCH REGILD_RETRY_BASE_MS=1 REGILD_LIMIT_BASE_MS=1
. tests/cli/lib.sh
day=$(($(git log -1 --format=%ct 2>/dev/null || echo 0) / 86400))
cd "$SCRATCH" || exit 1

# Every fault is too many: about a hundred in each state in `make test-long`, otherwise a sample of them, which moves with
# the day of the commit.
runs=24
[ -z "${TEST_LONG:-}" ] || runs=100
case $1 in *address* | *thread*) runs=12 ;; esac

# Two artifacts that are read in ranges, and a log.
make_fixture() {
	mkdir -p fixture/artifacts/logs-a-7-1 repository
	cat >fixture/run.json <<-'END'
		{"repository": "o/r", "run": {"id": 7, "created_at": "2026-03-01T04:00:00Z"},
		 "jobs": [{"name": "gpt/a - latest", "conclusion": "failure"},
		          {"name": "gpt/b - latest", "conclusion": "failure", "log": "step 1 2.5\nstep 2 2\n"}],
		 "artifacts": [
		  {"name": "logs-a-7-1", "filler": {"name": "out.log", "size": 200000}},
		  {"name": "logs-b-7-1", "filler": {"name": "out.log", "size": 200000},
		   "files": {"golden_values_dev.json": {"lm loss": {"values": {"1": 9.5, "2": 9.25}}}}}]}
	END
	golden fixture/artifacts/logs-a-7-1/golden_values_dev.json 'lm loss' 10 9 8 -- mem 5 5 5
	printf '[source "log"]\n\tlog = gpt/b*\n\tmatch = step {step} {value}\n' >repository/.regild
	(cd repository && new_repository && git commit -q --allow-empty -m start)
	mkdir -p local/logs-b-7-1
	golden local/logs-b-7-1/golden_values_dev.json 'lm loss' 9 8
	(cd fixture/artifacts/logs-a-7-1 && zip -q "$SCRATCH/local/logs-a-7-1.zip" -- *)
	golden other/results/iteration=1/2/assets/basic/c-dev/generations_dev.json 'lm loss' 7
	tar -czf local/logs-c-7-1.tgz -C other results
	for test in a b c; do
		golden repository/$ROOT/gpt/$test/golden_values_dev.json 'lm loss' 1
	done
}

# download DIR CACHE, as quiet as it can be: one request after the other, so that N is always the same.
download() {
	if [ "$state" = local ]; then
		"$regild" download -C repository --from "$SCRATCH/local" --jobs 1 -o "$1"
		return
	fi
	XDG_CACHE_HOME=$2 "$regild" download -C repository --repo o/r --run 7 --all --jobs 1 -o "$1"
}
export -f download

# faulty FAULT N cold|cached|local: prints what is wrong.
faulty() {
	local fault=$1 name=$SCRATCH/$3${1//[:]/-} status=0
	mkdir "$name"
	[ "$3" != cached ] || cp -r cache "$name/cache"
	REGILD_FAULT=$fault download "$name/out" "$name/cache" >/dev/null 2>"$name/err" || status=$?
	if [ "$status" -gt 4 ]; then
		echo "$3, $fault: exit code $status"
		tail -n 20 "$name/err"
	elif [ "$status" = 0 ] && ! diff -r "$staged/files" "$name/out/files" >/dev/null 2>&1; then
		echo "$3, $fault: exit code 0, and something is missing"
	elif [ "$status" != 0 ] && ! [ -s "$name/err" ]; then
		echo "$3, $fault: exit code $status, and nothing is said"
	elif [ -d "$name/out/files" ] && diff -r "$staged/files" "$name/out/files" 2>/dev/null | grep -v "^Only in $staged"; then
		echo "$3, $fault: exit code $status, and something else is staged"
	elif [ "$status" = 3 ] && [ -e "$name/out/manifest.json" ] && ! diff -r "$staged/files" "$name/out/files" >/dev/null; then
		echo "$3, $fault: exit code 3, and a part is staged"
	fi
	rm -rf "$name"
}
export -f faulty

# every COUNT cold|cached|local: fails sampled ones of COUNT.
every() {
	local count=$1 state=$2 n wrong stride
	stride=$(((count + runs - 1) / runs))
	wrong=$(for ((n = 1 + day % stride; n <= count; n += stride)); do
		faulty "fail:change:$n:ENOSPC" "$n" "$state"
	done)
	if [ -z "$wrong" ] && [ "$count" -gt 10 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL download-disk/%s, %d of them\n%s\n' "$state" "$count" "$wrong" | head -n 40
	fi
}

passed=0 failed=0
export state=cold staged=$SCRATCH/staged
make_fixture
start_hub fixture
trap 'kill $HUB_PID 2>/dev/null; rm -rf "$SCRATCH"' EXIT
download "$SCRATCH/staged" "$SCRATCH/cache" >printed 2>&1 || {
	cat printed
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
}
state=local download "$SCRATCH/staged-local" none >printed 2>&1 || cat printed
for state in cold cached local; do
	[ $state != local ] || staged=$SCRATCH/staged-local
	kept=$SCRATCH/cache
	[ $state = cached ] || kept=$SCRATCH/new-cache
	REGILD_FAULT=count:$SCRATCH/counts download "$SCRATCH/out-$state" "$kept" >/dev/null 2>&1
	read -r changes _ <counts
	every "$changes" $state
done
echo "download disk tests: $runs points in each state, the sample of day $day (TEST_LONG=1: 100)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
