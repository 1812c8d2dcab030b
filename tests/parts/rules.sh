#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Holds the rules of [check "NAME"] against the tools themselves: each that is installed judges 300 generated pairs of
# arrays (tests/rules/pairs.py) with each line of tests/rules/rules, and regild must give the same verdict. A tool that is
# not installed is skipped, by name. Without TEST_LONG only what Python and NumPy say.
# SEED=N makes other pairs.
# usage: tests/parts/rules.sh BUILD_DIR [TOOL…]
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
export LC_ALL=C PYTHONHASHSEED=0
top=$PWD regild=$PWD/$1/regild
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0
python=/usr/bin/python3 # Debian's modules
pairs=$scratch/pairs

# config: the checks of the rules that come in.
config() {
	printf '[regild]\n\tlayout = plain\n\troot = .\n\tfiles = **\n'
	while read -r check rule parameters; do
		printf '[check "%s"]\n\tmetric = *\n\trule = %s\n' "$check" "$rule"
		[ -z "$parameters" ] || printf '\t%s\n' $parameters
	done
}

# At most 32 checks are in one .regild.
judge() {
	local i=0 part
	cp tests/rules/rules "$pairs/rules"
	cd "$pairs" || exit 1
	git init -q .
	split -l 25 rules part.
	for part in part.*; do
		config <"$part" >.regild
		"$regild" compare old new --json "$part.json" >/dev/null 2>&1
	done
	$python "$top/tests/rules/own.py" part.*.json >own
	cd "$top" || exit 1
}

# The version that the rule follows, as regild says.
follows() {
	printf '[regild]\n\troot = .\n[check "x"]\n\tmetric = *\n\trule = %s\n\tno-such = 1\n' "$1" >"$pairs/.regild"
	(cd "$pairs" && "$regild" compare old new 2>&1 | sed -n 's/.* is not a parameter of [^ ]* (\(.*\))$/\1/p')
}

# tool NAME RULE COMMAND…: the first lines that it prints are its version.
tool() {
	local name=$1 rule=$2 said status=0
	shift 2
	[ -z "$only" ] || [[ " $only " == *" $name "* ]] || return 0
	"$@" >"$scratch/out" 2>"$scratch/err" || status=$?
	if [ $status = 77 ] || [ $status = 127 ]; then
		echo "rules: skipped: $name is not installed"
		skipped=$((skipped + 1))
		return
	fi
	if said=$($python tests/rules/own.py --compare "$pairs" "$pairs/own" "$scratch/out") && [ $status = 0 ]; then
		passed=$((passed + 1))
	else
		echo "FAIL rules: $name"
		tail -n 5 "$scratch/err"
		failed=$((failed + 1))
	fi
	echo "rules: $(grep -v -E ' (passes|fails)$' "$scratch/out" | sort -u | paste -s -d ' ') (rule: $(follows "$rule")): $said"
}

only=$*
$python tests/rules/pairs.py "$pairs" ${SEED:-} || exit 1
judge
py() { $python tests/rules/tool.py "$1" "$pairs"; }
tool math math-isclose py math
tool numpy numpy-allclose py numpy
if [ -n "${TEST_LONG:-}$only" ]; then
	tool pytest pytest-approx py pytest
	tool pytest-regressions pytest-regressions py pytest-regressions
	tool pandas pandas-frame py pandas
	tool xarray xarray py xarray
	tool fitsdiff fitsdiff py fitsdiff
	tool h5diff h5diff py h5diff
	tool numdiff numdiff py numdiff
	tool cdo cdo-diffn py cdo
	tool R r-all.equal Rscript tests/rules/tool.R "$pairs"
	tool octave octave-assert octave-cli --no-gui tests/rules/tool.m "$pairs"
	tool node node-equal node tests/rules/tool.mjs node "$pairs"
	tool jest jest-close node tests/rules/tool.mjs jest "$pairs" "$PWD/build/rules/node_modules"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
