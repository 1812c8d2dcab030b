# SPDX-License-Identifier: Apache-2.0
# A release's goldens, as a project has them by the hundred: what they have in common is a line.
new_repository
git config regild.nonfinite usual
# series METRIC FROM EACH LAST: of steps 1, 5, 10, … LAST the multiples of EACH from FROM on are figures.
series() {
	awk -v metric="$1" -v from="$2" -v each="$3" -v last="$4" 'BEGIN {
		printf "\"%s\": {\"start_step\": 1, \"end_step\": %d, \"step_interval\": 5, \"values\": {", metric, last
		for (step = 1; step <= last; step += step == 1 ? 4 : 5) {
			value = (step >= from && step % each == 0) ? step : "\"nan\""
			printf("%s\"%d\": %s", step == 1 ? "" : ", ", step, value)
		}
		printf "}}"
	}'
}
release="{$(series iteration-time 100 100 10000), $(series num-zeros 20 5 10000)}"
nightly="{$(series iteration-time 5 5 50), $(series num-zeros 20 5 50)}"
put() {
	mkdir -p $ROOT/$1 && echo "$2" >$ROOT/$1/golden_values_dev.json
}
for i in {100..199}; do
	put "gpt/release_$i" "$release"
	put "gpt/nightly_$i" "$nightly"
	put "gpt/full_$i" "{$(series iteration-time 1 1 50)}"
done
echo '# before there is a commit'
try regild check
commit
echo '# all of it has always been so'
regild check
echo '# a run that logs less, in some more'
logs_less="{$(series iteration-time 200 200 10000), $(series num-zeros 20 5 10000)}"
starts_late="{$(series iteration-time 5 5 50)}"
for i in {100..199}; do
	put "gpt/release_$i" "$logs_less"
	put "gpt/full_$i" "$starts_late"
done
put gpt/nightly_100 ''
put gpt/nightly_101 ''
put gpt/nightly_102 "{$(series iteration-time 100 100 50)}"
try regild check
try regild check --github
echo '# -v has them one by one'
try regild check -v >each
grep -c . each
grep 'nightly\|_100' each
grep -c '^::error' <(regild check -v --github)
echo '# more lines than anybody reads'
for i in {100..199}; do
	put "gpt/full_$i" "{\"metric $i\": [NaN]}"
done
try regild check >most
grep -c . most
tail -n 3 most
try regild check --github | tail -n 2
regild check -q -v | grep -c .
