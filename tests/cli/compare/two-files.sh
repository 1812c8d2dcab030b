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
try regild compare --old old.json
try regild compare --old old.json --new dir/new.json --base HEAD
