#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds skills/: the front matter of each SKILL.md, the calls in its texts, and, with TEST_LONG, its evals. Of an eval
# the right calls are played, and then, each in a repository of its own, what an agent does wrong; what regild answers
# is held, and the eval's check has to pass, or fail, as the eval says.
#
# usage: tests/parts/skills.sh BUILD_DIR [NAME]              all evals, or one
#        tests/parts/skills.sh --check NAME REPOSITORY       does what an agent left there pass that eval's check?
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
passed=0 failed=0 skipped=0

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}
count() { # count WHAT: of a command that is the last one
	if [ "$1" = 0 ]; then passed=$((passed + 1)); else fail "${@:2}"; fi
}

# ---- checks ----

# eval_named NAME: its object.
eval_named() {
	jq -c --arg name "$1" '.evals[] | select(.name == $name)' "$top"/skills/*/evals/evals.json
}

# number_is WHAT WANTED COUNT
number_is() {
	[ "$2" = null ] || [ "$2" = "$3" ] || { echo "$3 $1, not $2"; return 1; }
}

# state_passes EVAL: in the repository that an agent leaves. Says what does not.
state_passes() {
	local status=0 file
	number_is 'goldens are changed' "$(jq -r .check.changed <<<"$1")" "$(git status --porcelain -uall -- tests | wc -l)" || status=1
	number_is 'goldens are staged' "$(jq -r .check.staged <<<"$1")" "$(git diff --cached --name-only | wc -l)" || status=1
	number_is 'updates can be undone' "$(jq -r .check.undoable <<<"$1")" "$(regild undo --list | grep -c '^ *[0-9]' || true)" || status=1
	if git diff --cached --name-only | grep -qv 'golden_values[^/]*\.json$'; then
		echo "what is no golden is staged"
		status=1
	fi
	while read -r file; do
		[ -s "$file" ] || { echo "$file is not there"; status=1; }
	done < <(jq -r '.check.present[]?' <<<"$1")
	if grep -rqs -e test-token --exclude-dir=.cache . ..; then
		echo "a token is in a file"
		status=1
	fi
	return $status
}

if [ "$1" = --check ]; then
	PATH=$top/build:$PATH
	found=$(eval_named "$2")
	[ -n "$found" ] || { echo "there is no eval '$2'" >&2; exit 2; }
	cd "$3" && state_passes "$found"
	exit
fi

export REGILD_TOP=$top REGILD_BUILD=$top/$1 LC_ALL=C TZ=UTC TERM=dumb SCRATCH
SCRATCH=$(mktemp -d)
export HOME=$SCRATCH/home
mkdir "$HOME"
. tests/cli/lib.sh
. tests/skills/repository.sh
HUB_PID=
trap 'kill $HUB_PID 2>/dev/null; rm -rf "$SCRATCH"' EXIT

# ---- texts ----

# front FILE KEY: the value of a line, or of the lines folded under it.
front() {
	awk -v key="$2" '/^---$/ { if (++fences == 2) exit; next }
		/^[a-z-]+:/ { on = index($0, key ":") == 1; if (on) { sub(/^[a-z-]+: */, ""); if ($0 !~ /^>-?$/) printf "%s", $0 } next }
		on { sub(/^ +/, ""); printf "%s%s", seen++ ? " " : "", $0 }' "$1"
}

for skill in skills/*/; do
	skill=${skill%/} text=${skill}/SKILL.md
	name=$(front "$text" name) description=$(front "$text" description)
	[ "$(head -n 1 "$text")" = --- ] && [ "$name" = "${skill##*/}" ] && [[ $name =~ ^[a-z0-9]+(-[a-z0-9]+)*$ ]] && [ ${#name} -le 64 ]
	count $? "$text: name '$name' is not the folder's, or not of at most 64 of a-z0-9-"
	[ -n "$description" ] && [ ${#description} -le 1024 ]
	count $? "$text: the description has ${#description} characters, not 1 to 1,024"
	[ -n "$(front "$text" license)" ] && [ -n "$(front "$text" compatibility)" ] && [ "$(front "$text" compatibility | wc -c)" -le 500 ] &&
		grep -q '^  tags: ' "$text"
	count $? "$text: lacks license, compatibility (at most 500 characters) or tags"
	[ "$(wc -l <"$text")" -lt 300 ]
	count $? "$text: 300 lines or more"
	for heading in Purpose Prerequisites Instructions Examples; do
		grep -q "^## $heading" "$text"
		count $? "$text: has no section $heading"
	done
	# Each option that its calls name is one of that command's.
	while read -r word call; do
		for option in $(grep -oE -- ' --[a-z][a-z-]*' <<<" $call"); do
			"$REGILD_BUILD/regild" help "$word" | grep -qE -- "$option([ ,]|$)" || "$REGILD_BUILD/regild" help reports | grep -qE -- "$option([ ,]|$)"
			count $? "$text: regild $word has no $option"
		done
	done < <(sed -z 's/\\\n *//g' "$text" | grep -oE 'regild [a-z]+ [^`]*' | sed 's/^regild //')
done

# ---- evals ----

# play EVAL CALLS WHERE: the calls (JSON), in the repository; false where an answer is not the expected one.
play() {
	local call run wanted status text ok=0
	while read -r call; do
		run=$(jq -r .call <<<"$call") wanted=$(jq -r '.exit // 0' <<<"$call") status=0
		bash -c "$run" >"$SCRATCH/printed" 2>&1 || status=$?
		[ "$status" = "$wanted" ] || { echo "$1: '$run': exit code $status, not $wanted"; ok=1; }
		while read -r text; do
			grep -qF -- "$text" "$SCRATCH/printed" || { echo "$1: '$run' does not print: $text"; ok=1; }
		done < <(jq -r '.prints[]?' <<<"$call")
		while read -r text; do
			! grep -qF -- "$text" "$SCRATCH/printed" || { echo "$1: '$run' prints: $text"; ok=1; }
		done < <(jq -r '.lacks[]?' <<<"$call")
		[ $ok = 0 ] || { cat "$SCRATCH/printed"; return 1; }
	done
}

play_eval() {
	local name found=$1 wrong wanted status
	name=$(jq -r .name <<<"$found")
	rm -rf "$SCRATCH/eval" && mkdir "$SCRATCH/eval" && cd "$SCRATCH/eval" || return
	"$(jq -r .on <<<"$found")" || return
	cp -r repository fresh
	cd repository || return
	play "$name" < <(jq -c '.right[]' <<<"$found")
	count $? "$name: the right calls"
	state_passes "$found"
	count $? "$name: the check, after the right calls"
	while read -r wrong; do
		cd .. && rm -rf repository && cp -r fresh repository && cd repository || return
		play "$name" < <(jq -c '.calls[]' <<<"$wrong")
		count $? "$name: $(jq -r .why <<<"$wrong")"
		wanted=$(jq -r .check <<<"$wrong") status=passes
		state_passes "$found" >/dev/null || status=fails
		[ "$status" = "$wanted" ]
		count $? "$name: $(jq -r .why <<<"$wrong"): the check $status"
	done < <(jq -c '.wrong[]?' <<<"$found")
	stop_hub
	cd "$top" || return
}

if [ -z "${2:-}${TEST_LONG:-}" ]; then
	: # they take most of a minute
elif command -v jq >/dev/null; then
	while read -r found; do
		play_eval "$found"
	done < <(jq -c --arg name "${2:-}" '.evals[] | select($name == "" or .name == $name)' skills/*/evals/evals.json)
else
	echo "skip skills: the evals need jq"
	skipped=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
