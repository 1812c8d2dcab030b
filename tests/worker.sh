#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Takes tests from a list, each one that no other worker has taken yet, and runs them, with few processes: starting one
# takes longer than most of what a test does.
# usage: tests/worker.sh LIST N     from tests/queue.sh, which has set the environment
set -u
list=$1 now=$1.now.$2

# count PASSED FAILED SKIPPED, the last line of each test here.
count() {
	echo "$1 passed, $2 failed, $3 skipped"
}

# In the process that watch_over of tests/queue.sh is to end if the test takes too long.
begin() {
	echo "$EPOCHSECONDS $BASHPID" >"$now"
}

# A program of tests/unit. cmocka names a test that fails where it ends and again in the summary.
test_unit() {
	local log=$results/unit_$1 status=0 line p=0 f=0 s=0
	local -A known=()
	(begin && UNIT_NAME=$1 TMPDIR=$results/tmp exec "$REGILD_BUILD/unit/$1") >"$log" 2>&1 || status=$?
	while IFS= read -r line; do
		case $line in
		'[       OK ]'*) p=$((p + 1)) ;;
		'[  FAILED  ] '* | '[  SKIPPED ] '*)
			[[ ! ${line#*] } =~ ^[a-z_0-9]*$ || -n ${known[$line]:-} ]] && continue
			known[$line]=1
			[[ $line != *FAILED* ]] || f=$((f + 1))
			[[ $line != *SKIPPED* ]] || s=$((s + 1))
			;;
		'counted: '*) echo "$line" ;;
		esac
	done <"$log"
	if [ "$status" != 0 ] || [ "$f" != 0 ]; then
		echo "FAIL unit/$1 (exit code $status)"
		tail -n 40 "$log"
		[ "$f" != 0 ] || f=1
	elif [ $((p + s)) = 0 ]; then
		echo "FAIL unit/$1 ran no test"
		f=1
	fi
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
	# Most of what is printed has nothing to be replaced.
	SCRATCH=${2%/*} . tests/cli/normalise.sh -i "$2"
	! same_files "$wanted" "$2" || return 0
	if [ -z "$update" ]; then
		diff -u --label "${1#tests/cli/}" --label printed "$wanted" "$2"
	elif [ -s "$2" ]; then
		cp "$2" "$1"
	else
		rm "$1"
	fi
}

# tests/cli/AREA/NAME.sh in a folder of its own: see tests/cli/run.sh. The subshell is all that is started here. It is
# not part of a condition, in which a shell ignores "set -e".
test_cli() {
	local base=tests/cli/$1 expected_exit=0 status lines bad=
	if [ ! -e "$base.sh" ]; then
		echo "FAIL cli/$1: there is no $base.sh"
		count 0 1 0
		return
	fi
	mapfile -t lines <"$base.sh"
	[[ ${lines[-1]:-} != '# exit: '* ]] || expected_exit=${lines[-1]#'# exit: '}
	(
		begin
		SCRIPT=$base.sh
		unset base expected_exit status lines bad start log said
		cd "$SCRATCH/work" || exit 99
		checked=$SCRATCH/checked
		export SCRATCH HOME=$SCRATCH/home LC_ALL=C TZ=UTC TERM=dumb
		set -e +u --
		. "$REGILD_TOP/tests/cli/lib.sh"
		. "$REGILD_TOP/$SCRIPT"
	) >"$SCRATCH/out" 2>"$SCRATCH/err"
	status=$?
	if [ "$status" = 77 ]; then
		echo "skip $1: $(tail -n 1 "$SCRATCH/err")"
		count 0 0 1
		return
	fi
	expect "$base.out" "$SCRATCH/out" || bad=1
	expect "$base.err" "$SCRATCH/err" || bad=1
	if [ "$status" != "$expected_exit" ]; then
		echo "exit code $status, expected $expected_exit"
		bad=1
	fi
	if [ -n "$bad" ]; then
		echo "FAIL cli/$1"
		count 0 1 0
	else
		count 1 0 0
		kept[$1]=$SCRATCH
	fi
}

# Checks the documents that the tests have left, many tests at once: every one that regild wrote, but for its own log of
# updates, and all that checked_json has seen. What tests write themselves begins otherwise. Then removes the tests' folders.
declare -A kept=()
folders=()
check_documents() {
	local documents name said
	mapfile -d '' documents < <(grep -rIlZ --exclude=record.json '^ "schema": "regild-' "${folders[@]/%//work}" "${folders[@]/%//home}")
	for name in "${folders[@]/%//checked}"; do [ ! -e "$name" ] || documents+=("$name"/*); done
	[ ${#documents[@]} = 0 ] || said=$("$REGILD_BUILD/schema-check" "$REGILD_BUILD/schema" "${documents[@]}" 2>&1) ||
		for name in "${!kept[@]}"; do
			[[ $said == *"${kept[$name]}"/* ]] || continue
			grep -F "${kept[$name]}/" <<<"$said"
			echo "FAIL cli/$name"
			echo "cli $name 0 -1 passed, 1 failed, 0 skipped" >>"$results/counts"
		done
	rm -rf "${folders[@]}" 2>/dev/null || { chmod -R u+w "${folders[@]}" && rm -rf "${folders[@]}"; }
	kept=() folders=()
}

# tests/parts/NAME.sh: ends with a count of its own.
test_part() {
	local log=$results/part_$1 status=0 line p= f s
	TEST_JOBS=${PART_JOBS:-1} TMPDIR=$results/tmp bash "tests/parts/$1.sh" "${REGILD_BUILD#"$REGILD_TOP"/}" >"$log" 2>&1 || status=$?
	while IFS= read -r line; do
		if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
			p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
		elif [[ ! $line =~ ^[a-z\ -]+:$ ]]; then
			echo "$line"
		fi
	done <"$log"
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
	: >"$now"
	mapfile -t said <"$log"
	printf '%s %s %d %s\n' "$1" "$2" $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) "${said[-1]}" >>"$results/counts"
	unset 'said[-1]'
	[ ${#said[@]} = 0 ] || printf '%s\n' "${said[@]}"
}

mapfile -t tests <"$list"
for ((i = 0; i < ${#tests[@]}; i++)); do
	# Only one worker can create it.
	set -C
	{ : >"$list.taken/$i"; } 2>/dev/null
	taken=$?
	set +C
	[ $taken = 0 ] || continue
	SCRATCH=$list.$i
	run_test ${tests[i]}
	[[ ${tests[i]} != cli* ]] || folders+=("$SCRATCH")
	[ ${#folders[@]} -lt 16 ] || check_documents
done
[ ${#folders[@]} = 0 ] || check_documents
