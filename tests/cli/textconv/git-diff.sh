# SPDX-License-Identifier: Apache-2.0
# git diff shows goldens value by value, of commits, the index and the working tree, as 'regild init' says,
# and other JSON files with all that is in them.
golden gpt/a/golden_values_dev.json 'lm loss' 10.93 9.5 8 -- num-zeros 3 4
new_repository
echo '{"name": "p", "list": []}' >package.json
commit
regild init 2>&1 | sed -n "s/^regild: 'git diff' .* after: //p" >switch-on
cat switch-on
sh switch-on
golden gpt/a/golden_values_dev.json 'lm loss' 10.93 9.25 8 -- num-zeros 3 4 5
echo '{"name": "p", "list": [], "main": "index.js"}' >package.json
git diff -- '*.json'
git add -A
echo '# a merge left markers, in the settings as well: git diff goes on'
echo '<<<<<<< ours' >.regild
printf '{\n<<<<<<< ours\n}\n' >gpt/a/golden_values_dev.json
git diff -- '*.json'
