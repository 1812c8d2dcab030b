#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Real refreshes: for each folder of ../shared/corpus/refresh a repository with base/ committed and
# new/ laid over it; `regild compare --csv` must give expected.csv. Where goldens hold more than
# series, further rows may come between the expected ones, which keep their bytes and order. Of some,
# tests/parts/corpus/ has the summary and the story of the JSON, to the byte, or (NAME.gate) the
# rows and findings and what a gate of 1e-3 says of them; of each, what the summary says
# holds for its rows, and the terminal, a pipe, markdown and the page say the same (tests/parts/corpus/story.py), the page
# has the terminal's rows (tests/parts/corpus/page.py), and `regild report` makes the summary and the page again. ../shared/corpus/tables has refreshes of tables and step
# lists, of which VTR's rows go the way that tests/parts/corpus/directions.py works out; ../shared/corpus/text of texts with numbers, whose rows come in the same way.
#
# usage: tests/parts/corpus.sh [--update] BUILD_DIR
#   --update   writes the summaries and stories anew: read the diff
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/environment.sh
update=
if [ "$1" = --update ]; then
	update=1
	shift
fi
expected=$PWD/tests/parts/corpus
regild=$PWD/$1/regild
corpus=$PWD/../shared/corpus/refresh
tables=$PWD/../shared/corpus/tables
texts=$PWD/../shared/corpus/text
passed=0 failed=0 skipped=0
scratch=$(scratch_of_memory)
trap 'rm -rf "$scratch"' EXIT
export HOME=$scratch
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com
# The verdict has the commit.
export GIT_AUTHOR_DATE=2026-01-01T00:00:00Z GIT_COMMITTER_DATE=2026-01-01T00:00:00Z

# Is each line of $1 in $2, in the same order? Of some only a gate is expected.
stands_in() {
	[ -s "$1" ] || return 0
	awk 'NR == FNR { expected[++n] = $0; next }
		at < n && $0 == expected[at + 1] { at++ }
		END { if (at < n) { print "missing: " expected[at + 1]; exit 1 } }' "$1" "$2"
}

# The corpus may be write-protected: its copies must not be.
copy() {
	cp -r "$1/." "$2"
	chmod -R u+w "$2"
}

# What a project with tables says of them.
configure_tables() {
	cat >"$1/.regild" <<-'EOF'
		[regild]
			root = .
			files = ci_expected_accuracy/*.csv golden_results.txt losses/*.txt
		[table "golden_results.txt"]
			key = arch,circuit,script_params
		[table "*.csv"]
			key = name
	EOF
}

# The same of texts.
configure_texts() {
	printf '[regild]\n\troot = .\n\tfiles = TEST_FILES results_true.dat benchmarks_json/*.json refdata/*.xml screen-output statistics *.tables*\n' \
		>"$1/.regild"
}

lay_out() {
	git init -q -b main "$2"
	if [ -e "$1/base" ]; then copy "$1/base" "$2"; else copy "$1/old" "$2"; fi
	case $1 in
	"$tables"/*) configure_tables "$2" ;;
	"$texts"/*) configure_texts "$2" ;;
	esac
	git -C "$2" add -A
	git -C "$2" commit -q -m base
	copy "$1/new" "$2"
}

# same FILE EXPECTED: is it what is expected, where something is?
same() {
	[ -e "$2" ] || return 0
	[ -z "$update" ] || cp "$1" "$2"
	diff -u "$2" "$1" | head -n 40
	cmp -s "$2" "$1"
}

check_reports() {
	local work=$1 name=$2
	"$regild" report "$work.json" --markdown "$work.2.md" --html "$work.2.html" &&
		cmp "$work.md" "$work.2.md" && cmp "$work.html" "$work.2.html" || return 1
	TERM=xterm script -qec "stty cols 100; '$regild' compare -q -C '$work' --no-pager --color never" /dev/null \
		</dev/null >"$work.terminal" 2>/dev/null || [ $? = 4 ] || return 1
	"$regild" compare -q -C "$work" --fail-above '*=1e-3' --fail-on nonfinite,lost,new --json "$work.gated.json" \
		>/dev/null 2>&1
	python3 "$expected/story.py" "$work.json" "$work.md" "$work.html" "$work.out" "$work.terminal" 100 "$work.gated.json" ||
		return 1
	# As GitHub renders it, no mark is left over, and no line of a table is a paragraph.
	if command -v cmark-gfm >/dev/null && cmark-gfm -e table --unsafe "$work.md" | grep -E '\*\*[A-Z]+\*|<p>\||^ *- '; then
		echo "the summary is no markdown"
		return 1
	fi
	"$regild" compare -q -C "$work" --top 0 >"$work.all" 2>/dev/null
	python3 "$expected/page.py" "$work.json" "$work.html" "$work.all" || return 1
	sed -n '/^ "story"/,/^ }/p' "$work.json" >"$work.story"
	same "$work.md" "$expected/$name.md" && same "$work.story" "$expected/$name.story" || return 1
	case $name in vtr-*) python3 "$expected/directions.py" "$regild" "$work" || return 1 ;; esac
	[ -e "$expected/$name.gate" ] || return 0
	"$regild" compare -q -C "$work" --top 20 --fail-above '*=1e-3' --fail-on nonfinite,lost,new \
		>"$work.gate" 2>&1
	echo "exit code $?" >>"$work.gate"
	# Names of people's folders are nobody's business here.
	sed -i 's|/home/[^ ]*/vtr-verilog-to-routing|HOME/vtr|g' "$work.gate"
	same "$work.gate" "$expected/$name.gate"
}

# The exit code is 4 exactly where a side cannot be read, and each such file is named.
check() {
	local folder=$1 work=$2 status=0
	"$regild" compare -C "$work" --csv "$work.csv" --markdown "$work.md" --json "$work.json" \
		--html "$work.html" >"$work.out" 2>"$work.err" || status=$?
	if [ "$status" != 0 ] && [ "$status" != 4 ]; then
		echo "exit code $status"
		tail -n 3 "$work.err"
		return 1
	fi
	if [ "$status" = 4 ] && ! grep -q '\.json: ' "$work.err"; then
		echo "exit code 4, but no file is named"
		return 1
	fi
	# Some are written with another line end than CSV has.
	sed 's/\r*$/\r/' "$folder/expected.csv" >"$work.expected" 2>/dev/null
	stands_in "$work.expected" "$work.csv" && check_reports "$work" "$(basename "$folder")"
}

for folder in "$corpus"/*/ "$tables"/*/ "$texts"/*/; do
	name=$(basename "$folder")
	if [ ! -e "$folder/expected.csv" ] && [ ! -e "$expected/$name.gate" ]; then
		skipped=$((skipped + 1))
		[ -d "$folder" ] && echo "skip corpus/$name: it has no expected rows" ||
			echo "skip corpus/$name: no corpus beside the checkout"
		continue
	fi
	lay_out "${folder%/}" "$scratch/$name"
	if check "${folder%/}" "$scratch/$name"; then
		passed=$((passed + 1))
		more=$(($(wc -l <"$scratch/$name.csv") - $(wc -l <"$scratch/$name.expected")))
		echo "ok corpus/$name: $(wc -l <"$scratch/$name.expected") lines, $more further ones"
	else
		failed=$((failed + 1))
		echo "FAIL corpus/$name"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
