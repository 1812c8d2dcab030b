# SPDX-License-Identifier: Apache-2.0
# One queue for tests of every kind: a unit program, a command test or a part each is a line "KIND NAME", as many at a
# time as there are cores (TEST_JOBS=N: N). What one prints stays together, and is nothing but what failed, was
# skipped or was counted ("counted: 50,000 changes"). Sourced at the project's top by the scripts that run tests, with the BUILD_DIR: see tests/run.sh.
. tests/environment.sh
# An absurd allocation fails, as it does without the sanitizer, and does not abort.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
export REGILD_TOP=$PWD REGILD_BUILD=$PWD/$1
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}
results=$(mktemp -d)
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

# count PASSED FAILED SKIPPED, the last line of each test here.
count() {
	echo "$1 passed, $2 failed, $3 skipped"
}

# A program of tests/unit. cmocka names a test that fails where it ends and again in the summary.
test_unit() {
	local name=$1 log=$results/unit_$1 status=0 p f s
	timeout 600 "$REGILD_BUILD/unit/$name" >"$log" 2>&1 || status=$?
	read -r p f s < <(awk '/^\[       OK \]/ { ok++ }
		/^\[  FAILED  \] [a-z_0-9]*$/ && !known[$0]++ { failed++ }
		/^\[  SKIPPED \] [a-z_0-9]*$/ && !known[$0]++ { skipped++ }
		END { print ok + 0, failed + 0, skipped + 0 }' "$log")
	if [ "$status" != 0 ] || [ "$f" != 0 ]; then
		echo "FAIL unit/$name (exit code $status)"
		tail -n 40 "$log"
		[ "$f" != 0 ] || f=1
	elif [ $((p + s)) = 0 ]; then
		echo "FAIL unit/$name ran no test"
		f=1
	fi
	grep -a '^counted: ' "$log"
	count "$p" "$f" "$s"
}

# Are two files the same? Without a process, unless a byte of them is 0.
same_files() {
	local a b
	if IFS= read -r -d '' a <"$1" || IFS= read -r -d '' b <"$2"; then
		cmp -s "$1" "$2"
	else
		[[ $a == "$b" ]]
	fi
}

# expect FILE PRINTED: what a command test printed is what it is to print, or becomes that.
expect() {
	local wanted=$1
	[ -e "$wanted" ] || wanted=/dev/null
	! same_files "$wanted" "$2" || return 0
	if [ -z "$update" ]; then
		diff -u --label "${1#tests/cli/}" --label printed "$wanted" "$2"
	elif [ -s "$2" ]; then
		cp "$2" "$1"
	else
		rm "$1"
	fi
}

# tests/cli/AREA/NAME.sh: see tests/cli/run.sh.
test_cli() {
	local base=tests/cli/$1 scratch expected_exit=0 status=0 lines bad= documents
	if [ ! -e "$base.sh" ]; then
		echo "FAIL cli/$1: there is no $base.sh"
		count 0 1 0
		return
	fi
	mapfile -t lines <"$base.sh"
	[[ ${lines[-1]:-} != '# exit: '* ]] || expected_exit=${lines[-1]#'# exit: '}
	scratch=$(mktemp -d -p "${results%/*}")
	mkdir "$scratch/work" "$scratch/home"
	(
		cd "$scratch/work" || exit 99
		HOME=$scratch/home SCRATCH=$scratch LC_ALL=C TZ=UTC TERM=dumb \
			timeout 600 bash -e -c '. "$REGILD_TOP/tests/cli/lib.sh"; . "$REGILD_TOP/$0"' "$base.sh" \
			>"$scratch/out" 2>"$scratch/err" </dev/null
	) || status=$?
	if [ "$status" = 77 ]; then
		echo "skip $1: $(tail -n 1 "$scratch/err")"
		rm -rf "$scratch"
		count 0 0 1
		return
	fi
	SCRATCH=$scratch sh tests/cli/normalise.sh -i "$scratch/out" "$scratch/err"
	expect "$base.out" "$scratch/out" || bad=1
	expect "$base.err" "$scratch/err" || bad=1
	if [ "$status" != "$expected_exit" ]; then
		echo "exit code $status, expected $expected_exit"
		bad=1
	fi
	# Every document that regild wrote, but for its own log of updates. What tests write themselves
	# begins otherwise.
	mapfile -d '' documents < <(grep -rIlZ --exclude=record.json '^ "schema": "regild-' "$scratch/work" "$scratch/home")
	[ ${#documents[@]} = 0 ] || "$REGILD_BUILD/schema-check" "$REGILD_BUILD/schema" "${documents[@]}" 2>&1 || bad=1
	rm -rf "$scratch" 2>/dev/null || { chmod -R u+w "$scratch" && rm -rf "$scratch"; }
	if [ -n "$bad" ]; then
		echo "FAIL cli/$1"
		count 0 1 0
	else
		count 1 0 0
	fi
}

# tests/parts/NAME.sh: ends with a count of its own.
test_part() {
	local log=$results/part_$1 status=0 p f s
	TEST_JOBS=${PART_JOBS:-1} bash "tests/parts/$1.sh" "${REGILD_BUILD#"$REGILD_TOP"/}" >"$log" 2>&1 || status=$?
	read -r p f s < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$log" | tail -n 1)
	grep -vE '^([0-9]+ passed, [0-9]+ failed, [0-9]+ skipped|[a-z -]+:)$' "$log"
	if [ -z "$p" ]; then
		echo "FAIL parts/$1 ended without a count (exit code $status)"
		p=0 f=1 s=0
	elif [ "$status" != 0 ] && [ "$f" = 0 ]; then
		echo "FAIL parts/$1 (exit code $status)"
		f=1
	fi
	count "$p" "$f" "$s"
}

# run_test KIND NAME: keeps what it prints together, and notes its count and its milliseconds.
run_test() {
	local start=${EPOCHREALTIME/[.,]/} log=$results/${1}_${2//\//_}.log said
	"test_$1" "$2" >"$log" 2>&1
	mapfile -t said <"$log"
	printf '%s %s %d %s\n' "$1" "$2" $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) "${said[-1]}" >>"$results/counts"
	unset 'said[-1]'
	[ ${#said[@]} = 0 ] || printf '%s\n' "${said[@]}"
}
export -f count test_unit same_files expect test_cli test_part run_test

# queue: runs the tests that stdin names, in that order.
queue() {
	$default_signals xargs -r -P "$jobs" -L 1 bash -c 'run_test "$@"' _
}

# total [KIND]: the counts' sum.
total() {
	awk -v kind="${1:-}" 'kind == "" || $1 == kind { p += $4; f += $6; s += $8 }
		END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p + s == 0 }' "$results/counts"
}
