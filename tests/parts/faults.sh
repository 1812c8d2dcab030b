#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Downloads through every fault that the hub knows, alone and in pairs; of the pairs without TEST_LONG one in three, in a
# sanitizer build one in five, from one on that depends on the day of the commit. Whatever goes wrong, the
# goldens that arrive are byte for byte those of a run without faults, and what does not arrive is
# named; the token reaches nobody but the API, and no output holds it or a signature.
# usage: tests/parts/faults.sh BUILD_DIR
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
export top=$PWD
export build=$top/$1
work=$(scratch_of_memory)
export work
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

export HOME=$work/home LC_ALL=C TZ=UTC
export GITHUB_TOKEN=test-token GITLAB_TOKEN=test-token
# Back-off and stalls in milliseconds instead of seconds and minutes.
export REGILD_RETRY_BASE_MS=20 REGILD_LIMIT_BASE_MS=100 REGILD_STALL_MS=2000

# NAME|EXPECTED|FAULT…: complete (exit 0, every golden), partial (exit 4, what is missing is named) or
# refused (exit 3, nothing staged). gitlab-…: the same goldens of a pipeline, whose artifacts the server
# lists; gitlab-zip-…: one that has only whole archives. No fault strikes more than four times where it should be got over,
# because after five retries regild rightly gives up.
faults='
api-5xx|complete|api:status,every=2,first=8
api-502-zip|complete|api:status,value=502,match=/zip,first=3
api-primary|complete|api:primary,every=5,first=5
api-secondary|complete|api:secondary,value=403,seconds=1,every=7,first=7
api-secondary-bare|complete|api:secondary,every=4,first=8
api-cut|complete|api:cut,every=2,first=4
api-reset|complete|api:reset,every=3,first=9
api-stall|complete|api:stall,seconds=5,every=2,first=2
api-slow|complete|api:slow,value=400000
api-latency|complete|api:latency
api-expired|complete|api:expired,every=2,first=6
store-5xx|complete|store:status,every=2,first=8
store-expired|complete|store:forbidden,every=3,first=9
store-cut|complete|store:cut,every=2,first=8
store-cut-early|complete|store:cut,bytes=10,every=3,first=9
store-reset|complete|store:reset,every=3,first=9
store-reset-late|complete|store:reset,bytes=700,every=2,first=6
store-stall|complete|store:stall,seconds=5,every=4,first=4
store-slow|complete|store:slow,value=1000000
store-latency|complete|store:latency
store-no-ranges|complete|store:no-ranges
store-no-ranges-at-times|complete|store:no-ranges,every=2
store-wrong-range|partial|store:wrong-range
store-html|partial|store:html,every=2
store-flip|partial|store:flip,bytes=150
store-redirects|partial|store:redirect-loop,every=3
api-digest|partial|api:digest
api-zip-html|partial|api:html,match=/zip,every=3
api-downgrade|partial|api:downgrade,every=2
api-html|refused|api:html,match=/jobs
api-link-loop|refused|api:link-loop,match=/jobs
api-link-away|refused|api:link-away,match=/artifacts
api-total|refused|api:total,match=/jobs
api-no-name|refused|api:missing,field=name,match=/artifacts
api-wrong-id|refused|api:type,field=id,match=/jobs
api-wrong-size|refused|api:type,field=size_in_bytes
api-redirects|refused|api:redirect-loop,match=/jobs
gitlab-5xx|complete|api:status,every=2,first=8
gitlab-limit|complete|api:primary,every=5,first=5
gitlab-secondary|complete|api:secondary,seconds=1,every=7,first=7
gitlab-cut|complete|api:cut,every=2,first=4
gitlab-reset|complete|api:reset,every=3,first=9
gitlab-stall|complete|api:stall,seconds=5,every=2,first=2
gitlab-html|refused|api:html,match=/jobs
gitlab-link-loop|refused|api:link-loop,match=/jobs
gitlab-link-away|refused|api:link-away,match=/jobs
gitlab-no-name|refused|api:missing,field=name,match=/jobs
gitlab-wrong-id|refused|api:type,field=id,match=/jobs
gitlab-zip-5xx|complete|store:status,every=2,first=8
gitlab-zip-expired|complete|store:forbidden,every=3,first=9
gitlab-zip-cut|complete|store:cut,every=2,first=8
gitlab-zip-reset|complete|store:reset,every=3,first=9
gitlab-zip-stall|complete|store:stall,seconds=5,every=4,first=4
gitlab-zip-no-ranges|complete|store:no-ranges
gitlab-zip-wrong-range|partial|store:wrong-range
gitlab-zip-flip|partial|store:flip,bytes=150
gitlab-zip-redirects|partial|store:redirect-loop,every=3
gitlab-zip-downgrade|partial|api:downgrade,match=/artifacts,every=2
'
# Those that are also paired with each other.
paired='api-5xx api-secondary-bare api-cut api-reset api-expired api-latency store-5xx store-expired
store-cut store-reset store-reset-late store-stall store-no-ranges-at-times store-wrong-range
store-html store-flip api-digest api-link-away'
export faults

stride=3
case $1 in *address* | *thread*) stride=5 ;; esac
[ -z "${TEST_LONG:-}${ONLY_FAULTS:-}" ] || stride=1
first=$(($(git log -1 --format=%ct 2>/dev/null || echo 0) / 86400 % stride))

# A hundred passing jobs (so that lists have pages) and twelve failing ones: artifacts with logs,
# without, and one that is not a zip.
make_fixture() {
	local dir=$1 i golden=0
	local -a goldens
	mapfile -t goldens < <(printf '%s\n' "$top"/fixtures/demo/artifacts/*/golden_values_*.json)
	{
		echo '{"repository": "NVIDIA/Megatron-LM",'
		echo '"run": {"id": 3001, "created_at": "2026-03-04T05:00:00Z"}, "jobs": ['
		for i in $(seq 1 100); do
			echo "{\"name\": \"gpt/passing_$i - latest\"},"
		done
		for i in $(seq 1 12); do
			echo "{\"name\": \"gpt/failing_$i - latest\", \"conclusion\": \"failure\"},"
		done
		echo '{"name": "lint"}], "artifacts": ['
		for i in $(seq 1 12); do
			local name=logs-failing_$i-3001-$i options=
			mkdir -p "$dir/artifacts/$name"
			cp "${goldens[golden]}" "$dir/artifacts/$name/golden_values_dev.json"
			golden=$(((golden + 1) % ${#goldens[@]}))
			case $i in
			1 | 2 | 3 | 4 | 5 | 6) options=', "filler": {"name": "logs/out.log", "size": 300000}' ;;
			7) options=', "filler": {"name": "a.log", "size": 200000}' ;;
			8) options=', "archive": false' ;;
			esac
			echo "{\"name\": \"$name\"$options},"
		done
		echo '{"name": "coverage", "files": {"x.xml": ""}}]}'
	} >"$dir/run.json"
	# The same as a pipeline of GitLab.
	{
		echo '{"project": "adlr/megatron-lm",'
		echo '"pipeline": {"id": 3001, "created_at": "2026-03-04T05:00:00Z", "status": "failed"}, "jobs": ['
		for i in $(seq 1 100); do
			echo "{\"name\": \"passing_$i\", \"stage\": \"gpt\"},"
		done
		for i in $(seq 1 12); do
			echo "{\"name\": \"failing_$i\", \"stage\": \"gpt\", \"status\": \"failed\","
			echo "\"artifacts\": {\"contents\": \"logs-failing_$i-3001-$i\","
			echo "\"filler\": {\"name\": \"logs/out.log\", \"size\": 300000}}},"
		done
		echo '{"name": "lint", "stage": "test"}]}'
	} >"$dir/pipeline.json"
}

# download CASE FAULT…: into $work/CASE, with what was printed and the hub's log beside it. Prints the
# exit code.
download() {
	local case=$work/$1 name=$1 fault hub status url
	local -a switches=() run=(--run 3001)
	shift
	[[ $name != gitlab-zip-* ]] || switches+=(--no-tree)
	mkdir -p "$case"
	for fault; do switches+=(--fault "$fault"); done
	"$build/hub" --log "$case/log" --ready "$case/ready" --secrets "$case/secrets" \
		"${switches[@]}" "$work/fixture" >"$case/hub.out" 2>&1 &
	hub=$!
	eventually [ -s "$case/ready" ]
	read -r url <"$case/ready"
	[[ $name != gitlab-* ]] || run=(--run "$url/adlr/megatron-lm/-/pipelines/3001")
	GITHUB_API_URL=$url XDG_CACHE_HOME=$case/cache timeout 300 "$build/regild" \
		download -vv -C "$work/repository" "${run[@]}" --only-failing -o "$case/staged" \
		>"$case/out" 2>"$case/err" </dev/null
	status=$?
	kill "$hub" && wait "$hub" || echo "the hub failed" >>"$case/hub.out"
	echo "$status"
}

# Each golden that did not arrive: is its artifact named, with what happened to it? Those that did
# arrive must not be.
missing_are_named() {
	local case=$1 file line test names=$'\n' named missing=0
	while IFS= read -r line; do
		[[ $line != 'regild: warning: artifact '* ]] ||
			[[ ! $line =~ ^'regild: warning: artifact '[0-9]*\ \'(.*)\'': failed: '. ]] || names+=${BASH_REMATCH[1]}$'\n'
	done <"$case/err"
	while read -r file; do
		test=${file%/*} named=
		[[ $names != *$'\n'"logs-${test##*/}-"* && $names != *$'\n'"$test"$'\n'* ]] || named=1
		if [ -e "$case/staged/files/$file" ]; then
			[ -z "$named" ] || echo "$file is there and called failed"
			continue
		fi
		missing=$((missing + 1))
		[ -n "$named" ] || echo "$file is missing and not named"
	done <"$work/arrived"
	[ "$missing" -gt 0 ] || echo "nothing is missing"
	[ "$(grep -o '"outcome":[[:space:]]*"failed"' "$case/staged/manifest.json" | wc -l)" = $((2 * missing)) ] ||
		echo "the manifest does not say that $missing jobs and artifacts failed"
}

# Files may be missing, but those that are there are the reference's.
wrong_bytes() {
	[ ! -d "$1/staged/files" ] || diff -rq "$work/reference/staged/files" "$1/staged/files" | grep -v "^Only in $work/reference/"
}

# Says what is wrong with a case, one line each; silence is success.
judge() {
	local case=$work/$1 expected=$2 status=$3 secrets
	case $expected in
	complete)
		[ "$status" = 0 ] || echo "exit code $status"
		diff -r "$work/reference/staged/files" "$case/staged/files" 2>&1 | head -n 3
		;;
	partial)
		# In a pair one fault can spare the other its work: all is there then.
		if [ "$status" = 0 ] && [[ $1 == *+* ]]; then
			diff -r "$work/reference/staged/files" "$case/staged/files" 2>&1 | head -n 3
		else
			[ "$status" = 4 ] || echo "exit code $status"
			wrong_bytes "$case"
			missing_are_named "$case"
		fi
		;;
	refused)
		[ "$status" = 3 ] || echo "exit code $status"
		[ ! -e "$case/staged" ] || echo "something is staged"
		grep -q '^regild: ' "$case/err" || echo "no message"
		;;
	esac
	awk '/faults=/ { struck = 1 }
		/^store / && !/ auth=no / && astray++ < 3 { print "the token went astray: " $0 }
		END { if (!struck) print "no fault has struck" }' "$case/log"
	! secrets=$(grep -raFf "$case/secrets" "$case/err" "$case/out" "$case/staged" "$case/cache" 2>/dev/null) ||
		printf 'a secret: %s\n' "${secrets:0:1000}"
	[ ! -s "$case/hub.out" ] || cat "$case/hub.out"
}

# run_case NAME EXPECTED FAULT…
run_case() {
	local name=$1 expected=$2 status verdict
	shift 2
	status=$(download "$name" "$@")
	verdict=$(judge "$name" "$expected" "$status")
	if [ -n "$verdict" ]; then
		echo "FAIL faults/$name ($*)"
		printf '%s\n' "$verdict" | sed 's/^/    /'
		grep -v '^regild: debug' "$work/$name/err" | tail -n 5 | sed 's/^/    > /'
	else
		echo "ok faults/$name"
	fi
	rm -rf "${work:?}/$name"
}

worst() {
	case "$1 $2" in
	*refused*) echo refused ;;
	*partial*) echo partial ;;
	*) echo complete ;;
	esac
}

# One line a case: NAME|EXPECTED|FAULT|FAULT
cases() {
	local -a names expected specs
	local name want spec i j pair=0
	while IFS='|' read -r name want spec; do
		[ -n "$name" ] || continue
		echo "$name|$want|$spec"
		case " $(echo $paired) " in
		*" $name "*) names+=("$name") expected+=("$want") specs+=("$spec") ;;
		esac
	done <<<"$faults"
	for i in "${!names[@]}"; do
		for ((j = i + 1; j < ${#names[@]}; j++)); do
			[ $((pair++ % stride)) = $first ] || continue
			echo "${names[i]}+${names[j]}|$(worst "${expected[i]}" "${expected[j]}")|${specs[i]}|${specs[j]}"
		done
	done
}

export -f download missing_are_named wrong_bytes judge run_case
mkdir -p "$work/home" "$work/fixture" "$work/repository"
make_fixture "$work/fixture"
git -C "$work/repository" init -q -b main .
git -C "$work/repository" -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m empty
git -C "$work/repository" remote add origin https://github.com/NVIDIA/Megatron-LM

status=$(download reference)
find "$work/reference/staged/files" -type f -printf '%P\n' 2>/dev/null >"$work/arrived"
arrived=$(wc -l <"$work/arrived")
if [ "$status" != 0 ] || [ "$arrived" != 12 ]; then
	echo "FAIL faults/reference: exit code $status, $arrived goldens of 12"
	cat "$work/reference/err"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
for i in $(seq 1 12); do
	cmp "$work/fixture/artifacts/logs-failing_$i-3001-$i/golden_values_dev.json" \
		"$work/reference/staged/files/gpt/failing_$i/golden_values_dev.json" || exit 1
done

cases | grep -E "${ONLY_FAULTS:-.}" >"$work/cases"
xargs -P "${FAULT_JOBS:-3}" -d '\n' -n 6 bash -c '
	for line; do
		IFS="|" read -r -a fields <<<"$line"
		run_case "${fields[@]}"
	done' _ <"$work/cases" >"$work/results"
grep -v '^ok ' "$work/results"
passed=$(grep -c '^ok ' "$work/results")
# What was not even tried has failed.
failed=$(($(wc -l <"$work/cases") - passed))
echo "downloads through faults:$([ $stride = 1 ] || echo " one pair in $stride, from number $((first + 1)) on (TEST_LONG=1: all)")"
echo "$((passed + 1)) passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
