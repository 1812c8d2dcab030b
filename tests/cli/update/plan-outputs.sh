# SPDX-License-Identifier: Apache-2.0
# What an update writes is refused on a golden and on the plan that it follows, before anything is done; and a plan with a
# key twice, which other readers take differently, is none.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 8.5
golden_path=$ROOT/gpt/a/golden_values_dev.json
echo '/staged' >.git/info/exclude
commit
staging_manifest staged
regild update -q staged --dry-run --plan ../plan.json
cp ../plan.json ../kept.json
ln ../plan.json ../hard.json
mkdir below
for option in --json --message; do
	for path in "$golden_path" "./below/../$golden_path" "$PWD/$golden_path" "$ROOT/gpt/a/golden_values_new.json" ../plan.json ../hard.json; do
		echo "# apply $option ${path/#$PWD/HERE}"
		try regild apply ../plan.json $option "$path"
		[ -z "$(git status --porcelain)" ] && cmp ../plan.json ../kept.json
	done
done
echo '# update'
for option in --json --message; do try regild update staged $option "$golden_path"; done
try regild update staged --dry-run --plan "$golden_path"
try regild apply ../plan.json --json ../one --message ../one
git status --porcelain

twice() {
	echo "# $1"
	sed "$2" ../kept.json >../twice.json
	try regild apply ../twice.json
	git status --porcelain
}
twice allow 's/"allow": .*/&\n "allow": ["shrink"],/'
twice 'the same, written otherwise' 's/"allow": .*/&\n "\\u0061llow": ["shrink"],/'
twice 'of a golden' 's/"action": /"action": "add", &/'
twice 'a key that regild does not know, deep down' 's/"stage": /"more": [{"x": {"y": 1, "z": 2, "y": 3}}], &/'
twice 'once' 's/"stage": /"more": [{"x": {"y": 1}}, {"x": {"y": 1}}], &/'
