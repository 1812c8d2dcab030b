# SPDX-License-Identifier: Apache-2.0
# One queue for tests of every kind: a unit program, a command test or a part each is a line "KIND NAME", as many at a
# time as there are cores (TEST_JOBS=N: N). What one prints stays together, and is nothing but what failed, was
# skipped or was counted ("counted: 50,000 changes"). Sourced at the project's top by the scripts that run tests, with
# the BUILD_DIR: see tests/run.sh. tests/worker.sh runs a test.
. tests/environment.sh
# An absurd allocation fails, as it does without the sanitizer, and does not abort.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
export REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}
# What is too large for memory goes here.
export TEST_DISK=${TMPDIR:-/tmp}
results=$(scratch_of_memory)
# Somebody else than root must get to a test's folder (unprivileged of tests/cli/lib.sh).
chmod 711 "$results"
trap 'rm -rf "$results"' EXIT
# As a program sees it, whatever links lead there: it is replaced in what is printed.
results=$(cd "$results" && pwd -P)
: >"$results/counts"
# REGILD=PROGRAM: that one is tested instead of the one in BUILD_DIR, beside which are the tests' own programs.
if [ -n "${REGILD:-}" ]; then
	mkdir "$results/build"
	ln -s "$REGILD_BUILD"/* "$results/build"
	rm "$results/build/regild"
	cp "$REGILD" "$results/build/regild"
	REGILD_BUILD=$results/build
	unset REGILD
fi
export results update=
# What is opened to read from and is never written to.
mkfifo "$results/never"
# A new repository of a command test is a copy of this one (tests/cli/lib.sh).
HOME=$results git init -q -b main "$results/repository" && rm -rf "$results/repository/.git/hooks"
# Where the hubs keep what takes them long to make (tests/hub/kept.h).
mkdir "$results/bodies" "$results/tmp"
export HUB_BODIES=$results/bodies
# Where unit tests that start a thread put their names (tests/support/threads.c).
export UNIT_THREADS=$REGILD_BUILD/unit-threads

# watch_over LIST kills what a test has started, once that takes longer than ten minutes.
watch_over() {
	local name started pid
	while read -t 10 -r _ <>"$results/never"; [ $? -gt 128 ]; do
		for name in "$1".now.*; do
			{ read -r started pid <"$name" && [ "$((EPOCHSECONDS - started))" -gt "${TEST_SECONDS:-600}" ]; } 2>/dev/null || continue
			kill_below "$pid"
		done
	done
}
# Its parent goes first: it would continue.
kill_below() {
	local file stat below=()
	for file in /proc/[0-9]*/stat; do
		read -r stat <"$file"
		# After the name of the program, in brackets: its state, its parent.
		read -r _ stat _ <<<"${stat##*) }"
		[ "$stat" != "$1" ] || below+=("${file//[!0-9]/}")
	done 2>/dev/null
	kill -KILL "$1" 2>/dev/null
	for file in "${below[@]}"; do kill_below "$file"; done
}

# queue: runs the tests that stdin names, in that order.
queue() {
	local list=$results/$BASHPID i worker watch tests folders=() workers=()
	mapfile -t tests
	[ ${#tests[@]} != 0 ] || return 0
	printf '%s\n' "${tests[@]}" >"$list"
	for i in "${!tests[@]}"; do
		[[ ${tests[i]} != cli* ]] || folders+=("$list.$i/work" "$list.$i/home")
	done
	mkdir -p "$list.taken" "${folders[@]}"
	for ((worker = 0; worker < jobs; worker++)); do
		$default_signals bash tests/worker.sh "$list" $worker </dev/null &
		workers+=($!)
	done
	watch_over "$list" &
	watch=$!
	wait "${workers[@]}"
	kill $watch
	wait $watch 2>/dev/null
}

# total [KIND]: the counts' sum.
total() {
	awk -v kind="${1:-}" 'kind == "" || $1 == kind { p += $4; f += $6; s += $8 }
		END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p + s == 0 }' "$results/counts"
}
