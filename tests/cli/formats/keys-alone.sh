# SPDX-License-Identifier: Apache-2.0
# Tables that have nothing but keys, a list of names among them: a record that came or went is a change
# and a loss.
mkdir old new
printf 'name\na\nb\n' >old/names.csv
printf 'name\na\nc\n' >new/names.csv
printf '[{"name": "a"}]' >old/names.json
printf '[{"name": "b"}]' >new/names.json
for file in names.csv names.json; do
	try regild compare -q --old old/$file --new new/$file --fail-on changed
	try regild compare -q --old old/$file --new new/$file --fail-on lost --csv -
	regild compare -q --old old/$file --new old/$file --fail-on changed,lost --csv -
done
