# SPDX-License-Identifier: Apache-2.0
# A ratchet: only goldens go in that are better in a metric, or that are worse in none and better in one.
new_repository
put() { golden "$1/gpt/$2/golden_values_dev.json" 'lm loss' $3 $3 -- iteration-time $4 $4 -- throughput $5 $5 -- area $6 $6; }
for test in better worse mixed same rate time; do put $ROOT $test 10 5 100 7; done
put staged/files better 9 5 100 7
put staged/files worse 11 5 100 7
put staged/files mixed 9 6 100 7
put staged/files rate 10 5 120 7
put staged/files time 10 4 100 8
put staged/files new 10 5 100 7
cp -r $ROOT/gpt/same staged/files/gpt/
echo staged >.git/info/exclude
commit
staging_manifest staged
ratchet() {
	echo "# $*"
	try regild update staged -v "$@" | grep -v '^unchanged'
	git checkout -q . && git clean -qfd
}
ratchet --only-better 'lm loss'
ratchet --only-better iteration-time
ratchet --only-better throughput
ratchet --tighten
echo '# what is better is the policy to say'
ratchet --only-better area
printf '[metric "area"]\n\tdirection = lower\n' >.regild
commit
ratchet --only-better area
ratchet --only-better nowhere
echo '# the rows of what is left out are not those of the refresh'
try regild update -q staged --tighten --message - 2>/dev/null
