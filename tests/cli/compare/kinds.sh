# SPDX-License-Identifier: Apache-2.0
# The same goldens, wherever they are, make the same rows: a revision, the index, the working tree, a sparse one, a
# folder, zips, tars, zips in zips, a staging folder; on either side.
new_repository
for test in gpt/a gpt/b t5/c; do
	golden $ROOT/$test/golden_values_dev.json m 1 2
done
echo 'beside it' >$ROOT/gpt/a/notes.txt
commit
golden $ROOT/gpt/a/golden_values_dev.json m 1 4
golden $ROOT/t5/c/golden_values_dev.json m 1 8
golden $ROOT/t5/d/golden_values_dev.json m 1
commit second

mkdir ../of
git clone -q . ../of/checkout
cp -r $ROOT ../of/goldens
git archive --format=zip -0 -o ../of/stored.zip HEAD
git archive --format=zip -9 -o ../of/deflated.zip HEAD:$ROOT
git archive --format=tar -o ../of/plain.tar HEAD
tar --sort=name -czf ../of/dotted.tgz -C ../of/checkout --exclude .git .
(cd ../of && zip -q -0 inside.zip deflated.zip && zip -q -9 packed.zip stored.zip)
(cd .. && zip -q -0 of/deeper.zip of/stored.zip)
mkdir ../of/staged
cp -r $ROOT ../of/staged/files
find ../of/staged/files -name notes.txt -delete
staging_manifest ../of/staged
git clone -q --no-checkout . ../of/sparse
git -C ../of/sparse sparse-checkout set --cone $ROOT/gpt
git -C ../of/sparse checkout -q main

# The rows, or that they are those from before.
rows() {
	local status=0
	echo "# compare $*"
	regild compare -q --csv ../rows "$@" >/dev/null 2>../errors || status=$?
	[ $status = 0 ] || echo "exit code $status"
	sed "s/^/  /" ../errors
	[ -e ../rows ] || return 0
	if [ -e ../first ] && cmp -s ../first ../rows; then
		echo "  the same"
	else
		sed -e 1d -e "s|^$ROOT/|  |" ../rows
	fi
	[ -e ../first ] || cp ../rows ../first
	rm -f ../rows
}

echo '== the new side'
rows HEAD~1 HEAD
rows HEAD~1
rows --base HEAD~1 --staged
for side in checkout goldens staged; do
	rows HEAD~1 ../of/$side
done
for archive in stored.zip deflated.zip plain.tar dotted.tgz inside.zip packed.zip deeper.zip; do
	rows HEAD~1 zip:../of/$archive
done
echo '== the old side'
rm ../first
rows HEAD HEAD~1
for side in path:../of/checkout path:../of/goldens path:../of/staged \
	zip:../of/stored.zip zip:../of/deflated.zip zip:../of/plain.tar zip:../of/inside.zip; do
	rows $side HEAD~1
done
echo '== no git on either side'
git worktree add -q ../before HEAD~1
git archive --format=zip -o ../before.zip HEAD~1:$ROOT
rm ../first
for side in path:../of/goldens zip:../of/deflated.zip zip:../of/plain.tar path:../of/staged zip:../of/packed.zip; do
	rows path:../before/$ROOT $side
	rows zip:../before.zip $side
done
echo '== what a sparse checkout leaves out is not gone'
rm ../first
(cd ../of/sparse && rows HEAD~1)
(cd ../of/sparse && rows path:../../before)
(cd ../of/sparse && rows HEAD~1 -- $ROOT/t5)
rows HEAD~1 ../of/sparse
echo '== what needs no sides of git: neither repository nor settings'
mkdir ../outside && cd ../outside
rm ../first
rows ../before/$ROOT ../of/goldens
rows ../before/$ROOT zip:../of/deflated.zip
rows zip:../before.zip zip:../of/dotted.tgz
rows zip:../before.zip zip:../of/inside.zip
rows ../before/$ROOT ../of/staged
rows ../before/$ROOT/gpt/a/golden_values_dev.json ../of/goldens/gpt/a/golden_values_dev.json
ls "$HOME/.cache/regild/tmp" 2>/dev/null || true
