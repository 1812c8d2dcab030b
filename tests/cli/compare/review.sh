# SPDX-License-Identifier: Apache-2.0
# Why a reviewer must look at a row: the level that its score is compared with, whatever its kind, and
# values that turned NaN, at some steps or at all.
new_repository
write() {
	golden $ROOT/gpt/t/golden_values.json "lm loss" "$1" "$2" -- both "$1" "$2" -- close "$1" 9 -- \
		equal "$3" 1 -- lost "$4" "$4" -- ulps "$1" 9 -- zero 0 "$5"
}
write 10 9 5 4 0
printf '[metric "%s"]\n\tkind = %s\n\t%s\n' close combined 'rtol = 0.001' equal exact 'flag = 0.5' \
	ulps ulp 'flag = 2' both relative 'fail = 0.01' >.regild
commit
write 11 '"nan"' 6 '"nan"' '"nan"'
regild compare -q --fail-above 'none=1' --markdown summary.md --html page.html || echo "exit code $?"
sed -n '/Interpretation/,/Golden value/p; /^<details>.* group/,$p; /^<details>.*moved/,/^<.details>/p' summary.md
echo
sed -n '/<h2>Details/,/<\/section>/p; /class="row look"/p' page.html
# exit: 0
