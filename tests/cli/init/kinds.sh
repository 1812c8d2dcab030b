# SPDX-License-Identifier: Apache-2.0
# Goldens as projects keep them, each kind found by its names; of several kinds none is taken, and each is printed with how
# many it has and the lines to copy. What git does not track may be a run's, and is no golden of the checkout.
csv() {
	mkdir -p "$(dirname "$1")"
	printf 'name,v\na,1\nb,2\n' >"$1"
}
settings() {
	grep -v -e '^#' -e '^[[:blank:]]*;' -e '^$' .regild || true
}
# project NAME FILE…: a repository with these files, whose .regild is printed.
project() {
	echo "# $1"
	echo "# $1" >&2
	mkdir "../$1" && cd "../$1"
	new_repository
	for file in "${@:2}"; do
		csv "$file"
	done
	commit
	try regild init
	[ ! -e .regild ] || settings
}
project yml golden/a.yml golden/b.toml golden/c.ipynb golden/d.yaml
project pytest tests/test_flow.py tests/test_flow/test_a.csv tests/test_heat.py tests/test_heat/test_b.csv tests/data/in.csv
project expect tests/expect/a.csv
project differences run/expected_differences/a.csv
project warpx Regression/Checksum/benchmarks_json/a.csv Source/main.cpp
project refdata src/a/tests/refdata/x.xml src/b/tests/refdata/y.xml
project tax taxcalc/tests/pufcsv_expect.csv taxcalc/tests/cpscsv_expect.csv taxcalc/tests/data.csv
project aspect tests/a/screen-output tests/b/screen-output tests/b/statistics
project mitgcm verification/a/results/output.txt verification/b/results/output.txt verification/b/input.csv
project one-output run/results/output.txt
project flow flow/designs/a/gcd/rules-base.json flow/designs/b/aes/rules-base.json
echo '== a folder and a word of one name'
project both tests/expect/a.csv tests/foo_expect.csv || true
echo '== several kinds'
files=(tests/golden/a.csv)
for n in {1..30}; do
	files+=("tests/t$n/screen-output")
done
project several "${files[@]}" "tests/odd name/expect/x.csv"
try regild init --layout plain >../lines && tail -1 ../lines
try regild init --json - | head -1
echo '== the lines that were printed work'
regild init 2>/dev/null >../lines || sed -n '/30 goldens/,/^$/p' ../lines >.regild
commit
csv tests/t7/screen-output
echo 'c,3' >>tests/t7/screen-output
regild compare -q --csv -
echo '== what git does not track is not the checkout'"'"'s, if it tracks anything'
project untracked src/golden/a.csv
rm .regild
csv dl/golden/x.csv
csv dl/expected/y.csv
try regild init
settings
