#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a start costs: `regild --version` and a comparison without a golden, beside `git --version` and
# `git status` there, each 20 times.
#
# usage: tests/bench/start.bench.sh BUILD_DIR
set -eu
. "$(dirname "$0")/lib.sh"
cd "$scratch"
git init -q -b main .
git -c user.name=bench -c user.email=bench@example.com commit -q --allow-empty -m empty
mkdir -p tests/functional_tests/test_cases
regild compare | grep -q 'no golden differs'
twenty() {
	echo "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $* >/dev/null 2>&1 || true; done"
}
measure 5 "$(twenty regild --version)" "$(twenty git --version)" "$(twenty regild compare)" "$(twenty git status)" >measured
{
	read -r version _
	read -r git_version _
	read -r compared _
	read -r git_status _
} <measured
in_ms() {
	awk "BEGIN { printf \"%.1f\", $1 * 1000 / 20 }"
}
printf '       regild --version %s ms, git --version %s ms; empty compare %s ms, git status %s ms\n' "$(in_ms "$version")" \
	"$(in_ms "$git_version")" "$(in_ms "$compared")" "$(in_ms "$git_status")"
bar "an empty comparison over git --version and git status" \
	"$(ratio "$compared" "$(awk "BEGIN { print $git_version + $git_status }")")" 2.5 times
exit "$missed"
