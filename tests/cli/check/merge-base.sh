# SPDX-License-Identifier: Apache-2.0
# A pull request that changes only README is not charged with what main has fixed since: changes are counted from where the
# two parted. So "main..." says the same, and a comparison knows it, too.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 NaN
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
commit
git checkout -q -b topic
echo text >README
commit readme
git checkout -q main
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 2
commit fixed
git checkout -q topic
for base in main main... main~0 topic; do
	echo "== $base"
	try regild check --changed --base $base 2>&1
done
echo '== what the branch itself breaks'
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 NaN
try regild check --changed --base main 2>&1
echo '== a comparison'
for call in '--base main...' '--base main --merge-base' '--base main... --to topic' '--base main'; do
	echo "-- $call"
	regild compare -q $call --csv -
done
echo '== no common ancestor, a tree, and what is no base'
git checkout -q --orphan other
git rm -rfq --cached .
git add README && git commit -q -m other
git checkout -q -f topic
try regild check --changed --base other 2>&1
try regild check --changed --base 'main^{tree}' 2>&1
for base in main...topic main..topic main.. ... nowhere...; do
	try regild check --changed --base "$base" 2>&1
	try regild compare --base "$base" 2>&1
done
