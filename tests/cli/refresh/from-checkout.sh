# SPDX-License-Identifier: Apache-2.0
# The checkout is not a run: its own folders are refused, by whatever path, as everything would be unchanged. A run's own
# folder in it is not the checkout's, nor is another checkout.
new_repository
printf '[source "r"]\n\tartifact = r*\n\tmembers = **\n\ttarget = {path}\n[regild]\n\troot = tests/golden\n\tfiles = **/*.json\n' >.regild
golden tests/golden/a/x.json 'lm loss' 1 2
mkdir -p src/deep
echo 'int x;' >src/deep/x.c
commit
ln -s "$PWD/tests" ../link
ln -s golden tests/same
cp -r . ../twin
for folder in . tests tests/golden tests/golden/a src src/deep/ src/.. ../link ../link/golden/../golden tests/same "$PWD" .. ; do
	echo "# $folder"
	echo "# $folder" >&2
	try regild refresh --from "$folder"
done
(cd src && try regild refresh --from ..)
try regild download --from tests/golden
echo '# a second folder is looked at, too'
mkdir -p out/r1/a
golden out/r1/a/x.json 'lm loss' 1 3
try regild refresh --from out tests
echo '# what a run left'
try regild refresh -q --from out
git checkout -q tests
mkdir ../new && mv out/r1 ../new
try regild refresh -q --from ../new
git checkout -q tests
golden ../twin/tests/golden/a/x.json 'lm loss' 1 4
try regild refresh -q --from ../twin
