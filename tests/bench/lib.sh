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
