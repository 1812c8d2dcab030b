# SPDX-License-Identifier: Apache-2.0
# Goldens of no known layout are found by what their folders and files are called; compare and check find them with what is written.
csv() {
	printf 'name,v\na,%d\nb,2\n' "$1"
}
# project NAME: a repository with code, documents and a settings file beside its goldens.
project() {
	echo "# $1"
	echo "# $1" >&2
	mkdir "../$1" && cd "../$1"
	new_repository
	mkdir -p src/golden docs/reference
	echo 'int x;' >src/golden/main.c
	echo '{"name": "x"}' >package.json
	echo 'How it works' >docs/reference/index.md
}
# found FILE: its change is in a comparison, and check looks at all goldens.
found() {
	commit
	try regild init
	csv 5 >"$1"
	try regild compare -q --csv -
	try regild check
}
n=0
for folder in golden tests/golden reference expected baselines __snapshots__ tests/results_true expected_output; do
	n=$((n + 1))
	project $n-$(basename $folder)
	mkdir -p $folder
	csv 1 >$folder/a.csv
	csv 1 >$folder/b.csv
	found $folder/a.csv
done
project several
mkdir -p tests/one/golden/deep tests/two/golden
csv 1 >tests/one/golden/deep/a.csv
csv 1 >tests/two/golden/a.csv
csv 1 >tests/two/golden/b.csv
csv 1 >tests/two/input.csv
found tests/two/golden/b.csv
grep -v -e '^#' -e ';' .regild
project by-file
mkdir -p tests
csv 1 >tests/sum_golden.csv
csv 1 >tests/input.csv
found tests/sum_golden.csv
grep -v -e '^#' -e ';' .regild
project nothing
commit
try regild init
[ ! -e .regild ] && echo 'nothing was written'
try regild refresh --run 1 --all
try regild compare
try regild check
