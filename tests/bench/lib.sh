# SPDX-License-Identifier: Apache-2.0
# What the benchmarks share. BUILD_DIR is $1 of the script that loads this.

build=$(cd "$1" && pwd)
PATH=$build:$build/bench:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
export GIT_AUTHOR_NAME=bench GIT_AUTHOR_EMAIL=bench@example.com
export GIT_COMMITTER_NAME=bench GIT_COMMITTER_EMAIL=bench@example.com
missed=0

# bar NAME FIGURE LIMIT UNIT: a figure that must be at most the limit; bar_least: at least.
bar() {
	verdict "$1" "$2" "$3" "$4" "at most" "$(awk "BEGIN { print ($2 <= $3) }")"
}

bar_least() {
	verdict "$1" "$2" "$3" "$4" "at least" "$(awk "BEGIN { print ($2 >= $3) }")"
}

verdict() {
	local word=ok
	if [ "$6" != 1 ]; then
		word=MISSED
		missed=1
	fi
	printf '%-6s %-58s %9s %s (bar: %s %s)\n' "$word" "$1" "$2" "$4" "$5" "$3"
}

# ratio A B, with three places.
ratio() {
	awk "BEGIN { printf \"%.3f\", $1 / $2 }"
}

# A repository in the current folder with everything in it committed and packed, as a clone has it.
commit_all() {
	git init -q -b main .
	git add -A
	git commit -q -m goldens
	git gc -q
}

git_ours='regild compare --quiet --csv /dev/null'
# The same question put to git, which looks for new files, too, and prints the changed goldens'
# baselines; and what finds and reads both sides as ours does, and does no more.
git_theirs='git status --porcelain -uall && git cat-file --batch <../baselines'
git_sides='sides tests/functional_tests/test_cases'

# line N FIELD: of what measure printed last, into $scratch/measured.
line() {
	awk -v n="$1" -v field="$2" 'NR == n { print $field }' "$scratch/measured"
}

# Lists the baselines of what changed in the current repository.
list_baselines() {
	git diff --raw --no-abbrev --diff-filter=MD HEAD | cut -d ' ' -f 3 >../baselines
}

# against_git WHAT ROUNDS BAR, in the current repository.
against_git() {
	list_baselines
	measure "$2" "$git_ours" "$git_theirs" "$git_sides" >"$scratch/measured"
	printf '       %s: regild %s s, git %s s; finding and reading alone %s s\n' "$1" "$(line 1 1)" \
		"$(line 2 1)" "$(line 3 1)"
	bar "$1: time over git's" "$(ratio "$(line 1 1)" "$(line 2 1)")" "$3" x
	bar "$1: peak memory" "$(awk "BEGIN { printf \"%.1f\", $(line 1 3) / 1024 }")" 48 MiB
}
