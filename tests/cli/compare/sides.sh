# SPDX-License-Identifier: Apache-2.0
# What is compared is named as git has it: revisions, ranges, paths, and "--".
new_repository
git config regild.files '*.json'
golden $ROOT/gpt/a/golden.json m 1 2
golden $ROOT/gpt/b/golden.json m 1 2
golden $ROOT/t5/c/golden.json m 1 2
commit
git branch other
golden $ROOT/gpt/a/golden.json m 1 4
commit second
git checkout -q other
golden $ROOT/t5/c/golden.json m 1 8
commit "it's -- third"
golden $ROOT/gpt/b/golden.json m 1 16
golden $ROOT/t5/c/golden.json m 1 32
echo '{{old_side}} -> {{new_side}}' >../sides.html
# What the sides are called, and the rows.
compared() {
	echo "# compare $*"
	regild compare -q --html $SCRATCH/sides --html-template $SCRATCH/sides.html --csv $SCRATCH/rows "$@" >/dev/null
	sed 's/^/  /' $SCRATCH/sides
	sed -e 1d -e "s|^$ROOT/|  |" $SCRATCH/rows
}

section() {
	echo "## $1"
}

section 'revisions'
compared
compared HEAD~1
compared main other
compared main..other
compared main...other
compared main...
compared ..main
compared ...main
compared rev:main..other
compared rev:main rev:other
compared main other --merge-base
compared main --merge-base
git add $ROOT/gpt
compared --staged
compared main --staged
git reset -q
section 'the working tree against a revision, which is the other way round'
compared path:. HEAD
section 'paths: goldens of a folder that differ, and files whether they differ or not'
compared $ROOT/gpt
compared $ROOT/gpt/a/golden.json
compared .
(cd $ROOT/t5 && compared ../gpt/../t5/)
compared -- $ROOT/t5 $ROOT/gpt/a/golden.json
compared --file $ROOT/gpt/a/golden.json -- $ROOT/t5
compared main -- $ROOT/gpt/a
compared main other -- $ROOT/t5
compared main $ROOT/gpt
compared $ROOT/gpt main
section 'the command in the summary'
commands() {
	regild compare -q --markdown - "$@" | grep -e '^Command: ' -e '^All rows: '
}
commands main... --threshold 0
commands "HEAD^{/it's -- third}"
commands main "path:$PWD/$ROOT" -- "$ROOT/gpt/b/golden.json" $ROOT/t5
section 'a folder and a file that are gone'
git rm -qrf $ROOT/t5
try regild compare -- $ROOT/t5
try regild compare -q $ROOT/t5
try regild compare -- $ROOT/t5/c/golden.json
section 'two paths: two files, or two folders'
compared $ROOT/gpt/a/golden.json path:$ROOT/gpt/b/golden.json
cp -r $ROOT/gpt ../old
golden ../old/a/golden.json m 1 64
compared ../old $ROOT/gpt
section 'a name that is both'
git branch $ROOT/gpt
mkdir main
try regild compare main
try regild compare other main
try regild compare $ROOT/gpt
touch main..other
try regild compare main..other
rm main..other
compared main --
compared rev:main
try regild compare path:main other
