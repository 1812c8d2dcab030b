# SPDX-License-Identifier: Apache-2.0
# An update writes the message of its commit, with the run that the staging manifest names.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10 9 8
golden $ROOT/gpt/b/golden_values_dev.json 'lm loss' 1 2
commit
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 8.5
golden staged/files/gpt/b/golden_values_dev.json 'lm loss' 1 3
staging_manifest staged
sed -i 's|"attempt": 1}|"attempt": 2, "head_commit": "0123abc", "url": "https://example.com/\\u202e\\nSigned-off-by: x"}|
	s|"scope": "all"|"scope": "only-failing"|' staged/manifest.json
echo staged >.git/info/exclude
echo '# nothing is written: a dry run, a wrong place, an update that is to be finished'
regild update staged --dry-run --message message
try regild update staged --message nowhere/message
try regild update --continue --message message
git status --short
echo '# on stdout it is alone'
regild update staged --only gpt/a --message -
echo '# what is not committed yet belongs to the same commit'
regild update -q staged --message message
cat message
git interpret-trailers --parse <message | cmp - <(tail -n 4 message)
git commit -q -a -F message
regild blame $ROOT/gpt/b/golden_values_dev.json | sed '$d'
echo '# nothing changed'
regild update staged --message none
[ ! -e none ]
echo '# a golden with work of its own is held back'
golden staged/files/gpt/a/golden_values_dev.json 'lm loss' 10 9 7
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 1 1 1
staging_manifest staged 8
try regild update staged --message none
[ ! -e none ]
echo '# it cannot be written'
git checkout -q .
try regild update staged --message /dev/full
git status --short
echo '# goldens that are all new are added'
git rm -qf $ROOT/gpt/a/golden_values_dev.json $ROOT/gpt/b/golden_values_dev.json && git commit -q -m none
regild update -q staged --message - | head -n 1
git add -A
regild compare --markdown - | grep -e 'new goldens'
