#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the examples of the README and the manuals against the bundled run.
#
# README.md: in a block that begins with ```console, each line "$ COMMAND" is run, and what follows it
# is the exact output (stdout and stderr). The blocks follow each other in one scratch repository.
# `tests/parts/examples.sh --update BUILD_DIR` writes what is printed now into the README.
# The commands of each indented block are run in a repository of their own, and have to end like those
# of the manuals. So are those of its workflow, as GitHub runs them.
#
# man/: each line of a literal block under EXAMPLES is run in a fresh scratch repository; it has to
# end with 0, 1 (a gate) or 4 (in part). So is a block of calls of regild in a command's DESCRIPTION.
# The examples of a command's --help are some of these. A block of settings (its first line begins
# with "[" or a comment) is not run, and neither is SQL, which test_history.c runs.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
top=$PWD
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
build=$top/$1
passed=0 failed=0

export REGILD_TOP=$top REGILD_BUILD=$build SCRATCH
SCRATCH=$(scratch_of_memory)
export HOME=$SCRATCH/home LC_ALL=C TZ=UTC TERM=dumb
mkdir "$HOME"
. tests/cli/lib.sh
. tests/formats/goldens.sh
start_hub fixtures/demo
trap 'kill "$HUB_PID" 2>/dev/null; rm -rf "$SCRATCH"' EXIT

# What examples take artifacts from: folders as gh leaves them, and zips as a web page hands them out.
mkdir "$HOME/Downloads" "$SCRATCH/artifacts"
for artifact in "$top"/fixtures/demo/artifacts/logs-*; do
	name=$(basename "$artifact")
	cp -r "$artifact" "$SCRATCH/artifacts/"
	(cd "$SCRATCH/artifacts/$name" && new_repository && commit &&
		git archive --format=zip -o "$HOME/Downloads/$name.zip" HEAD && rm -rf .git) || exit 1
done

# A repository as the demo's, its goldens committed, with what examples name beside it.
prepare_repository() {
	cp -r "$top/fixtures/demo/repository" "$1" && cd "$1" || exit 1
	new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
	cp "$(find . -name 'golden_values*.json' | LC_ALL=C sort | head -n 1)" "$SCRATCH/old.json"
	cp "$(find . -name 'golden_values*.json' | LC_ALL=C sort | tail -n 1)" "$SCRATCH/new.json"
	cp "$SCRATCH/old.json" old.json && cp "$SCRATCH/new.json" new.json
	cp "$top/tests/formats/cases.bpte" model.bpte
	cp -r "$SCRATCH/artifacts" artifacts && cp -r artifacts downloads
	golden_model goldens/xnnpack/relu
	"$build/regild" executorch pack -q goldens -o golden_artifacts_26112103.zip
	printf '/artifacts\n/downloads\n/kept\nold.json\nnew.json\n*.md\n*.csv\n' >>.git/info/exclude
}

# A scratch repository that is a copy of it.
fresh_repository() {
	rm -rf "$1" && cp -r "$SCRATCH/prepared" "$1" && cd "$1" || exit 1
	# What the page itself makes is not there yet.
	case $1 in
	*regild-executorch.1 | *.block) rm golden_artifacts_26112103.zip ;;
	*) rm -r goldens ;;
	esac
	# The history of another machine: here what the page of regild audit has kept.
	if [ -e "$HOME/.local/share/regild/history.db" ]; then
		mkdir kept && cp "$HOME/.local/share/regild/history.db" kept/
	fi
}

verdict() {
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL examples/$1"
	fi
}

# The README with its console blocks' outputs as they are now.
readme() {
	local line in_block=
	while IFS= read -r line; do
		case $line in
		'```console')
			in_block=1
			printf '%s\n' "$line"
			;;
		'```')
			in_block=
			printf '%s\n' "$line"
			;;
		'$ '*)
			printf '%s\n' "$line"
			[ -z "$in_block" ] || (eval "${line#\$ }") 2>&1
			;;
		*) [ -n "$in_block" ] || printf '%s\n' "$line" ;;
		esac
	done <"$top/README.md"
}

prepare_repository "$SCRATCH/prepared"
fresh_repository "$SCRATCH/readme"
readme >"$SCRATCH/README.md"
[ -z "$update" ] || cp "$SCRATCH/README.md" "$top/README.md"
diff -u <(sh "$top/tests/cli/normalise.sh" <"$top/README.md") \
	<(sh "$top/tests/cli/normalise.sh" <"$SCRATCH/README.md")
verdict README.md $?

# The commands in a page's EXAMPLES, and those that a command's DESCRIPTION begins with.
page_commands() {
	awk '/^\.Sh/ { examples = $2 == "EXAMPLES"; calls = $2 == "DESCRIPTION" && FILENAME ~ /\.1$/ }
		/^\.Ed/ { literal = 0 }
		(examples || calls) && literal { if (first) other = /^[[;#A-Z]/ || !examples && !/^regild /
			first = 0; if (!other) print }
		/^\.Bd -literal/ { literal = 1; first = 1 }' "$1" | sed -e 's/\\e/\\/g; s/^\\&//; s/\\-/-/g' \
		-e ':join' -e '/\\$/{N;s/\\\n[[:space:]]*//;b join' -e '}'
}

# Runs the commands in a file; each has to work, or to end as a gate or in part.
run_commands() {
	local name=$1 command status bad=0
	while IFS= read -r command; do
		(eval "$command") >"$SCRATCH/output" 2>&1 </dev/null
		status=$?
		case $status in
		0 | 1 | 4) ;;
		*)
			echo "$name: $command: exit code $status"
			tail -n 5 "$SCRATCH/output"
			bad=1
			;;
		esac
	done <"$2"
	verdict "$name" "$bad"
	cd "$top" || exit 1
}

# The README's indented blocks, a file each, without their comments.
readme_blocks() {
	awk -v to="$SCRATCH" '!/^    / { inside = 0 }
		/^    regild / {
			if (!inside++) n++
			sub(/ +# .*/, ""); sub(/^ +/, "")
			print >(to "/README." n)
		}' "$top/README.md"
}

readme_blocks
for block in "$SCRATCH"/README.[0-9]; do
	fresh_repository "$block.block"
	regild download -q --run 22651183945 --only-failing >/dev/null 2>&1
	run_commands "$(basename "$block")" "$block"
done

# What a job of a pull request finds, after a checkout.
fresh_repository "$SCRATCH/workflow"
git update-ref refs/remotes/origin/main HEAD
regild refresh -q --run 22651183945 --only-failing >"$SCRATCH/output" 2>&1
git add -A && commit
sed -n '/^```yaml$/,/^```$/s/^ *- run: \(regild .*\)/\1/p' "$top/README.md" >"$SCRATCH/commands"
: >"$SCRATCH/summary"
export GITHUB_ACTIONS=true GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$SCRATCH/summary
run_commands README.workflow "$SCRATCH/commands"
unset GITHUB_ACTIONS GITHUB_BASE_REF GITHUB_STEP_SUMMARY
grep -q 'headline numbers' "$SCRATCH/summary" && [ "$(wc -l <"$SCRATCH/commands")" = 1 ]
verdict "README.workflow's summary" $?

for page in "$top"/man/*.[1-9]; do
	name=$(basename "$page")
	fresh_repository "$SCRATCH/$name"
	page_commands "$page" >"$SCRATCH/commands"
	run_commands "$name" "$SCRATCH/commands"
done

# The examples of each command's --help, a line each, are among those of its page, or of regild.1 if it has none.
help_examples() {
	local part
	{
		"$build/regild" help "$1"
		for part in $("$build/regild" help "$1" | sed -n '/^Commands:/,/^Common/s/^  \([a-z][a-z-]*\)  .*/\1/p'); do
			"$build/regild" help "$1" "$part"
		done
	} | sed -n '/^Examples:$/,/^usage:/ s/^  //p' | sed -e ':join' -e '/ \\$/{N;s/\\\n *//;b join' -e '}'
}

for name in $("$build/regild" help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'); do
	page=$top/man/regild-$name.1
	[ -e "$page" ] || page=$top/man/regild.1
	page_commands "$page" >"$SCRATCH/commands"
	help_examples "$name" >"$SCRATCH/examples"
	unknown=$(grep -vxFf "$SCRATCH/commands" "$SCRATCH/examples")
	[ -s "$SCRATCH/examples" ] || unknown="no examples"
	[ -z "$unknown" ] || echo "regild $name --help: not in ${page##*/}: $unknown"
	[ -z "$unknown" ]
	verdict "$name --help" $?
done

echo "examples:"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
