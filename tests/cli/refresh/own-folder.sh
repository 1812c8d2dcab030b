# SPDX-License-Identifier: Apache-2.0
# What a run left in a folder below the checkout is no golden of the checkout, wherever its root is: not after a refresh from
# it, and not where a download wrote it. It is, if git tracks it.
new_repository
printf '[source "r"]\n\tartifact = r*\n\tmembers = **\n\ttarget = {path}\n[regild]\n\troot = .\n\tfiles = *.json\n' >.regild
golden a/x.json 'lm loss' 1 2
commit
golden run/r1/a/x.json 'lm loss' 1 3
golden run/r1/new.json 'lm loss' 1
echo '== a refresh from it'
regild refresh --from run
echo '== it is not later, wherever the call is'
regild compare -q --csv - --columns file,metric
(cd a && regild check)
echo '== what a download wrote'
git checkout -q a
mv run ../run
rm new.json
regild download -q --from ../run -o out/staged
golden files/b.json 'lm loss' 1
regild compare
regild check
regild check out/staged/files/r/x/a/x.json || true
echo '== one that is tracked'
git add out
git commit -q -m 'keep a run'
regild check
