# SPDX-License-Identifier: Apache-2.0
# A plan is what a dry run would do, and apply does exactly that, or nothing: it names the first golden that differs.
new_repository
for test in a b held left same; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9
	golden staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 8.5
done
golden staged/files/gpt/held/golden_values_dev.json 'lm loss' 10
golden staged/files/gpt/n/golden_values_dev.json 'lm loss' 5
cp $ROOT/gpt/same/golden_values_dev.json staged/files/gpt/same/
echo '/staged' >.git/info/exclude
commit
staging_manifest staged
try regild update staged --plan ../plan.json
try regild update -q staged --dry-run --except gpt/left --plan ../plan.json
sed 's/"head": "[0-9a-f]*"/"head": HEAD/' ../plan.json
git status --short
regild update -q staged --dry-run --plan - 2>/dev/null | checked_json | grep -c '"action": "update"'
planned() {
	echo "# $1"
	try regild apply "${@:2}"
	git status --short
	git checkout -q -- $ROOT && git clean -qfd $ROOT
}
planned 'a dry run' ../plan.json --dry-run -q
planned 'as it is' ../plan.json -q --message ../message
head -n 1 ../message
planned 'of it only one' ../plan.json -q --only gpt/a
grep -v gpt/b/ ../plan.json >../fewer.json
planned 'a golden taken out by hand' ../fewer.json -q
sed '/held/s/"hold back"/"update"/' ../plan.json >../forced.json
planned 'one that was held back, put in by hand' ../forced.json
sed 's|gpt/a/|../../|' ../plan.json >../unsafe.json
planned 'a path that leads out' ../unsafe.json
cp -r staged moved && golden moved/files/gpt/b/golden_values_dev.json 'lm loss' 10 8
staging_manifest moved
planned 'other bytes are staged' ../plan.json moved
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 10 9.5
planned 'a golden was touched' ../plan.json
rm -r moved/files/gpt/a && staging_manifest moved
planned 'a golden is not staged' ../plan.json moved
rm -r moved && git commit -q --allow-empty -m more
planned 'HEAD moved' ../plan.json
echo '{}' >../other.json
planned 'no plan' ../other.json
planned 'none at all' ../nowhere.json
