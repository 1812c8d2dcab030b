# SPDX-License-Identifier: Apache-2.0
# Two files need no repository; a bare one or a strange one around does not matter.
golden old.json m 1 2
golden dir/new.json m 1 4
regild compare --old old.json --new dir/new.json
regild compare --old old.json --new dir/new.json --csv -
git init -q --bare bare.git
cd bare.git
regild compare -q --old ../old.json --new ../dir/new.json --csv -
cd ..
regild compare -q -C dir --old ../old.json --new new.json --csv -
echo '# what goes wrong'
try regild compare --old old.json --new none.json
try regild compare --old old.json --new dir
try regild compare --old none --new dir
try regild compare --old dir --new none
try regild compare --old old.json
try regild compare --old old.json --new dir/new.json --base HEAD
echo '# two folders: rows go by path components'
for file in a.b/x a-b/x a/x a/x-y/z a/x/z B/x; do
	golden "old/$file.json" m 1
	golden "new/$file.json" m 2
done
golden new/a-b/new.json m 1
golden old/a/gone.json m 1
echo 'no golden' | tee new/notes.txt >old/a/notes.txt
try regild compare --old old --new new --csv -
echo '# filters take files here as they do in a repository'
ROOT_OF_GPT=tests/functional_tests/test_cases/gpt/t
golden "old/$ROOT_OF_GPT/x.json" m 1
golden "new/$ROOT_OF_GPT/x.json" m 2
echo '{' >new/B/x.json
try regild compare --old old --new new --filter 'file=a/*' --csv -
try regild compare --old old --new new --filter stage=gpt --csv -
try regild compare --old old --new new --filter 'file=none*' --csv -
try regild compare --old old.json --new dir/new.json --filter 'file=old.json vs *' --csv -
try regild compare --old old.json --new dir/new.json --filter 'file=other*' --csv -
