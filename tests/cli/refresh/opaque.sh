# SPDX-License-Identifier: Apache-2.0
# A refresh of what no reader takes: rust-lang's expected output, in the artifacts of jobs. What the update has
# compared is shown without being compared again, and a question on a terminal shows what it can.
needs_terminal
new_repository
printf '[regild]\n\tfiles = *.txt\n' >.regild
mkdir -p $ROOT/ui/a $ROOT/ui/b dl/logs-a-7-x dl/logs-b-7-x
echo 'one' >$ROOT/ui/a/error.txt
echo 'x' >$ROOT/ui/b/error.txt
commit
echo 'two' >dl/logs-a-7-x/error.txt
echo 'x' >dl/logs-b-7-x/error.txt
echo dl >.git/info/exclude
echo '== refreshed'
regild refresh --from dl -v --markdown short.md --html page.html
cat short.md | head -n 16
grep 'class="added"' page.html
regild -q undo
echo '== asked'
answer 'regild refresh --from dl --interactive' s y 'y\n'
git status --short $ROOT
echo '== one that is new'
git mv -k $ROOT/ui/b/error.txt $ROOT/ui/b/note.txt
git commit -q -a -m moved
regild -q refresh --from dl --only ui/b -v | sed -n '/ -> /,/^$/p'
