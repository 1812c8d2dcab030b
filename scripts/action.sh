#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml. What callers and forks decide comes in variables; see there.
# usage: scripts/action.sh install|run|comment
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
out=${RUNNER_TEMP:?}/regild
page=

# die TEXT: as an error of the job.
die() {
	echo "::error title=regild::$1"
	exit 2
}

# output NAME VALUE: one line; what could be another output is refused.
output() {
	[[ $2 != *$'\n'* && $2 != *$'\r'* ]] || die "$1 has a line end"
	printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# The released program by its SHA-256, or, while nothing is pinned, built from this checkout.
install_regild() {
	local line=() version=${VERSION:-}
	mkdir -p "$out/bin"
	if [[ $version && ! $version =~ ^[0-9]+(\.[0-9]+){1,3}$ ]]; then
		die "version is not a version, such as 1.2.3"
	fi
	# As release/pin.sh writes them.
	read -ra line < <(awk -v version="$version" -v arch="$(uname -m)" \
		'NF == 4 && $4 == arch && (version == "" || $3 == version) { found = $0 }
		END { print found }' "$top/release/pinned.sha256") || true
	if [ ${#line[@]} = 4 ]; then
		curl -sSfL --proto '=https' --retry 3 -o "$out/bin/regild" "${line[1]}"
		echo "${line[0]}  $out/bin/regild" | sha256sum -c --quiet - || die "${line[1]} is not what was pinned"
		chmod 755 "$out/bin/regild"
	elif [ "$version" ]; then
		die "release/pinned.sha256 has no version $version"
	else
		make -C "$top" setup
		make -C "$top" -j"$(nproc)"
		cp "$top/build/regild" "$out/bin/regild"
	fi
	echo "$out/bin" >>"$GITHUB_PATH"
	"$out/bin/regild" version
}

# Where the reports go, whose paths are outputs.
reports() {
	call+=(--json "$out/rows.json" --html "$page" --step-summary --annotate)
	[ -z "$FAIL_ON" ] || call+=(--fail-on "$FAIL_ON")
}

# call: the words of regild's call.
make_call() {
	call=("$COMMAND")
	case $COMMAND in
	compare)
		reports
		if [ "$RUN" ]; then
			call+=(--merge-base "run:$RUN")
		elif [ "${GITHUB_BASE_REF:-}" ]; then
			call+=("origin/$GITHUB_BASE_REF...")
		else
			call+=(HEAD~1 HEAD)
		fi
		;;
	refresh)
		[ "$RUN" ] || die "refresh needs run"
		case $SCOPE in
		only-failing | all) call+=(--run "$RUN" "--$SCOPE" --stage --message "$out/message.txt") ;;
		*) die "scope is only-failing or all, and is never guessed" ;;
		esac
		reports
		;;
	audit)
		[ "$RUN" ] || die "audit needs run, the workflow's file"
		call+=(--workflow "$RUN" --last 30 --model "$out/noise.db" --json "$out/rows.json" --html "$page")
		;;
	check) call+=(--github --changed --base "origin/${GITHUB_BASE_REF:-HEAD}") ;;
	*) die "command is compare, refresh, audit or check" ;;
	esac
	if [ "$COMMAND" = check ] && [ -z "${GITHUB_BASE_REF:-}" ]; then call=(check --github); fi
}

# page: a name that no other call of the run has, as an artifact that is not a zip has the name of its file.
name_page() {
	local calls=0
	[ ! -e "$out/calls" ] || read -r calls <"$out/calls"
	echo $((calls + 1)) >"$out/calls"
	page=goldens-${GITHUB_JOB:-job}
	if [ "${JOB_TOTAL:-1}" != 1 ] || [ "$calls" != 0 ]; then page+=.${JOB_INDEX:-0}; fi
	[ "$calls" = 0 ] || page+=.$calls
	page=$out/$page.html
}

run_regild() {
	local status=0 review=0 words=('done' 'gate' 'wrong call' 'failed' 'partial')
	mkdir -p "$out"
	# An earlier call of the job may have left them.
	rm -f "$out/rows.json" "$out/message.txt" "$out/noise.db"
	name_page
	make_call
	(cd "$FOLDER" && PATH=$out/bin:$PATH exec regild "${call[@]}") || status=$?
	output exit-code "$status"
	output outcome "${words[status]:-failed}"
	[ ! -s "$page" ] || output page "$page"
	if [ -s "$out/rows.json" ]; then
		output json "$out/rows.json"
		review=$(jq -r '.story.review? // 0' "$out/rows.json")
	fi
	output rows-to-review "$review"
}

comment() {
	local call=(comment "$JSON" --delete)
	cd "$FOLDER"
	PATH=$out/bin:$PATH
	case $COMMENT in
	on-look) call+=(--on look) ;;
	always) ;;
	*) die "comment is never, on-look or always" ;;
	esac
	# Of an event that is no pull request's, the run has to say it. A number that a run left is never taken.
	if [ "${GITHUB_EVENT_NAME:-}" = merge_group ] && [[ ${GITHUB_REF:-} =~ ^refs/heads/gh-readonly-queue/.*/pr-([0-9]+)-[0-9a-f]+$ ]]; then
		PULL=${BASH_REMATCH[1]}
	fi
	if [ -z "${PULL:-}" ]; then
		[ "${RUN:-}" ] || die "comment needs an event of a pull request, or run"
		PULL=$(regild pr-of-run "$RUN")
	fi
	[ -z "${HEAD:-}" ] || call+=(--head "$HEAD")
	[ -z "${PAGE_URL:-}" ] || call+=(--page-url "$PAGE_URL")
	regild "${call[@]}" --pr "$PULL"
}

case ${1:-} in
install) install_regild ;;
run) run_regild ;;
comment) comment ;;
*) echo "usage: scripts/action.sh install|run|comment" >&2 && exit 2 ;;
esac
