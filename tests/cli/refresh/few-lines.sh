# SPDX-License-Identifier: Apache-2.0
# Where no terminal is, a refresh prints 60 lines at most, whatever there is to say: the rest is counted, and in the JSON.
new_repository
mkdir -p {.,run}/$ROOT/gpt/t{100..130} run/$ROOT/gpt/t{200..240}
for i in {100..130}; do
	echo "{\"lm\": {\"values\": {\"1\": 1, \"2\": 2}}, \"m$i\": {\"values\": {\"1\": 1}}}" >$ROOT/gpt/t$i/golden_values_dev.json
	echo "{\"lm\": {\"values\": {\"1\": 1, \"2\": 3}}, \"m$i\": {\"values\": {\"1\": 2}}}" >run/$ROOT/gpt/t$i/golden_values_dev.json
done
for i in 120 121 122 {200..240}; do
	echo '{"lm": {"values": {"1": 1}}}' >run/$ROOT/gpt/t$i/golden_values_dev.json
done
echo run >.git/info/exclude
commit
printed() {
	git checkout -q . && git clean -qfd $ROOT
	try regild "$@" >../printed 2>&1
	tail -n 1 ../printed
	[ "$(wc -l <../printed)" -le 61 ] && echo 'at most 60 lines' || wc -l ../printed
}
printed refresh --from run --json ../rows.json
grep -e ' more ' -e 'more;' -e 'held back$' ../printed
grep -o '"outcome": "[a-z ]*"' ../rows.json | sort | uniq -c
printed refresh --from run --dry-run
printed update -q
echo '# with -v all'
try regild refresh -v --from run 2>/dev/null | grep -c '^held back\|^new\|^updated\|^unchanged'
