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
# replaced in what it printed (normalise in lib.sh).
set -u
# An absurd allocation fails, as it does without the sanitizer, and does not abort.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
build=$top/$1
shift
export REGILD_TOP=$top REGILD_BUILD=$build
export LC_ALL=C TZ=UTC TERM=dumb

run_one() {
	local script=$1 base area scratch expected_exit status
	base=${script%.sh}
	area=$(basename "$(dirname "$script")")/$(basename "$base")
	# As a program sees it, whatever links lead there: it is replaced in what is printed.
	scratch=$(cd "$(mktemp -d)" && pwd -P)
	mkdir "$scratch/work" "$scratch/home"
	expected_exit=$(tail -n 1 "$script" | sed -n 's/^# exit: \([0-9]*\)$/\1/p')
	(
		cd "$scratch/work" || exit 99
		HOME=$scratch/home SCRATCH=$scratch \
			$default_signals timeout 600 bash -e -c ". '$top/tests/cli/lib.sh'; . '$top/$script'" \
			>"$scratch/out" 2>"$scratch/err" </dev/null
	)
	status=$?
	if [ "$status" = 77 ]; then
		echo "skip $area: $(tail -n 1 "$scratch/err")"
		rm -rf "$scratch"
		return 77
	fi
	for stream in out err; do
		SCRATCH=$scratch bash "$top/tests/cli/normalise.sh" <"$scratch/$stream" \
			>"$scratch/$stream.normal"
		if [ -n "$update" ]; then
			if [ -s "$scratch/$stream.normal" ]; then
				cp "$scratch/$stream.normal" "$base.$stream"
			else
				rm -f "$base.$stream"
			fi
		fi
		if [ -e "$base.$stream" ]; then
			cp "$base.$stream" "$scratch/$stream.wanted"
		else
			: >"$scratch/$stream.wanted"
		fi
	done
	local bad=
	if ! diff -u --label "$area.out" --label printed "$scratch/out.wanted" "$scratch/out.normal"; then bad=1; fi
	if ! diff -u --label "$area.err" --label printed "$scratch/err.wanted" "$scratch/err.normal"; then bad=1; fi
	if [ "$status" != "${expected_exit:-0}" ]; then
		echo "exit code $status, expected ${expected_exit:-0}"
		bad=1
	fi
	chmod -R u+w "$scratch" 2>/dev/null
	# Every document that regild wrote, but for its own log of updates. What tests write themselves
	# begins otherwise.
	if ! grep -rIlZ --exclude=record.json '^ "schema": "regild-' "$scratch/work" "$scratch/home" |
		xargs -0r "$build/schema-check" share/regild/schema; then
		bad=1
	fi
	rm -rf "$scratch"
	if [ -n "$bad" ]; then
		echo "FAIL cli/$area"
		return 1
	fi
}
export -f run_one
export top build update

if [ $# -gt 0 ]; then
	scripts=()
	for name; do scripts+=("tests/cli/$name.sh"); done
else
	mapfile -t scripts < <(printf '%s\n' tests/cli/*/*.sh | LC_ALL=C sort)
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results
# Two at a time; what a test prints stays together.
printf '%s\n' "${scripts[@]}" | xargs -P "${CLI_JOBS:-2}" -I '{}' bash -c '
	name=$(printf %s "$1" | tr / _)
	run_one "$1" >"$results/$name.log" 2>&1
	echo $? >"$results/$name.status"' _ '{}'
for log in "$results"/*.log; do cat "$log"; done
passed=$(grep -lx 0 "$results"/*.status | wc -l)
skipped=$(grep -lx 77 "$results"/*.status | wc -l)
failed=$((${#scripts[@]} - passed - skipped))
echo "command tests:"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
