# SPDX-License-Identifier: Apache-2.0
# Goldens that are not in git are compared with those that are: downloaded ones, folders, zips, another
# checkout. What such a side lacks is not gone, but for a checkout.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json m 1 2
golden $ROOT/gpt/b/golden_values_dev.json m 1 2
golden $ROOT/t5/c/golden_values_dev.json m 1 2
commit
git clone -q . ../checkout
golden $ROOT/gpt/a/golden_values_dev.json m 1 4
commit second
golden $ROOT/gpt/a/golden_values_dev.json m 1 6
golden ../staged/files/gpt/a/golden_values_dev.json m 1 8
golden ../staged/files/gpt/b/golden_values_dev.json m 1 2
golden ../staged/files/gpt/new/golden_values_dev.json m 1
staging_manifest ../staged
cp -r ../staged staged
echo '{{old_side}} -> {{new_side}}' >../sides.html
compared() {
	local status=0
	echo "# compare $*"
	echo "# compare $*" >&2
	regild compare --html ../sides --html-template ../sides.html --csv ../rows "$@" >/dev/null || status=$?
	[ $status = 0 ] || echo "exit code $status"
	[ ! -e ../rows ] || sed 's/^/  /' ../sides
	[ ! -e ../rows ] || sed -e 1d -e "s|^$ROOT/|  |" ../rows
	rm -f ../rows
}

section() {
	echo "## $1"
	echo "## $1" >&2
}

section 'what was downloaded'
compared path:../staged
compared HEAD~1 ../staged
compared ../staged HEAD
compared --staged path:staged
compared HEAD path:staged -- $ROOT/gpt/b
compared HEAD path:staged -- $ROOT/gpt/new/golden_values_dev.json
compared HEAD staged -- $ROOT/gpt
compared staged $ROOT/gpt/b
compared staged
compared ../staged
section 'a staging folder that leads out of itself by a link'
cp -r ../staged ../linked
rm -r ../linked/files/gpt/a
ln -s "$PWD/$ROOT/gpt/a" ../linked/files/gpt/a
compared HEAD ../linked
section 'goldens below a folder of their own'
(cd ../staged/files && cp -r gpt ../../extracted)
mkdir ../tests
mv ../extracted ../tests/gpt
compared HEAD ../tests
section 'another checkout: what it lacks is gone'
golden ../checkout/$ROOT/t5/d/golden_values_dev.json m 1
rm ../checkout/$ROOT/gpt/b/golden_values_dev.json
compared HEAD ../checkout
compared path:../checkout
compared ../checkout ../staged
section 'a zip: of a checkout, of goldens alone, or of what regild.files does not name'
git archive --format=zip -o ../all.zip HEAD~1
git archive --format=zip -o ../some.zip HEAD~1:$ROOT
compared zip:../all.zip
compared HEAD zip:../some.zip
compared zip:../all.zip zip:../some.zip
git archive --format=tar.gz -o ../some.tar.gz HEAD~1:$ROOT
compared HEAD zip:../some.tar.gz
compared ../checkout zip:../all.zip
compared $ROOT/gpt/a/golden_values_dev.json zip:../all.zip -- $ROOT/gpt/a
git mv $ROOT/gpt/a/golden_values_dev.json $ROOT/gpt/a/other.json
git archive --format=zip -o ../other.zip $(git write-tree):$ROOT/gpt/a
git reset -q --hard HEAD
compared zip:../other.zip
section 'what is no archive'
compared zip:../sides.html
compared zip:../none.zip
ls "$HOME/.cache/regild/tmp"
section 'a side without goldens'
mkdir ../empty
compared path:../empty
compared HEAD path:../none
compared HEAD path:../staged -- $ROOT/t5
section 'one file cannot tell which golden it is'
compared HEAD ../staged/files/gpt/a/golden_values_dev.json
section 'the same side twice'
compared path:$ROOT/gpt path:.
compared path:.
compared path:. --staged
section 'a merge left it in conflict'
git add $ROOT
git update-index --index-info <<-INDEX
	0 0000000000000000000000000000000000000000	$ROOT/gpt/b/golden_values_dev.json
	100644 $(git rev-parse HEAD:$ROOT/gpt/b/golden_values_dev.json) 2	$ROOT/gpt/b/golden_values_dev.json
	100644 $(git rev-parse HEAD:$ROOT/gpt/a/golden_values_dev.json) 3	$ROOT/gpt/b/golden_values_dev.json
INDEX
compared --staged path:staged
