# SPDX-License-Identifier: Apache-2.0
# Links, pointers of Git LFS, duplicates and damage in a side: the same holds of a folder, a zip and a tar, and what is
# beside them is compared.
new_repository
text='{"m": {"values": {"1": 1}}}'
pointer() {
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' \
		"$(echo "$1" | sha256sum | cut -d ' ' -f 1)" $((${#1} + 1))
}
for test in a b c d; do
	mkdir -p $ROOT/s/$test
	pointer "$text" >$ROOT/s/$test/golden_values_dev.json
done
golden $ROOT/s/e/golden_values_dev.json m 1 2
commit

# What the side has: the file itself, another one, a pointer, another pointer; and links.
for test in a b c d e f; do
	mkdir -p ../side/s/$test
done
echo "$text" >../side/s/a/golden_values_dev.json
echo "${text/ 1/ 2}" >../side/s/b/golden_values_dev.json
pointer "$text" >../side/s/c/golden_values_dev.json
pointer other >../side/s/d/golden_values_dev.json
golden ../side/s/e/golden_values_dev.json m 1 3
echo '{"m": {"values": {"1": 7}}}' >../secret.json
ln -s ../../../secret.json ../side/s/f/golden_values_dev.json
ln -s ../e/golden_values_dev.json ../side/s/e/golden_values_link.json
ln -s e ../side/s/folder
ln -s gone ../side/s/a/notes.txt
mkfifo ../side/s/a/golden_values_pipe.json
tar --sort=name -cf ../side.tar -C ../side .
rm ../side/s/a/golden_values_pipe.json
(cd ../side && find . | LC_ALL=C sort | zip -q -y -@ ../side.zip)
zip -q -j ../outer.zip ../side.zip
mkfifo ../side/s/a/golden_values_pipe.json

compared() {
	local status=0
	echo "# compare $*"
	echo "# compare $*" >&2
	regild compare -q --csv ../rows "$@" >/dev/null || status=$?
	[ $status = 0 ] || echo "exit code $status"
	[ ! -e ../rows ] || sed -e 1d -e "s|^$ROOT/|  |" ../rows
	rm -f ../rows
}
for side in path:../side zip:../side.zip zip:../outer.zip zip:../side.tar; do
	compared HEAD $side
	compared $side HEAD
done
echo '== without git'
cp -r ../side ../other
golden ../other/s/e/golden_values_dev.json m 1 9
for side in path:../side zip:../side.zip zip:../side.tar; do
	compared path:../other $side
done
echo '== damaged, cut off, twice, and not there'
rm -f ../side/s/a/golden_values_pipe.json
(cd ../side && zip -q -0 ../bad.zip s/a/golden_values_dev.json s/e/golden_values_dev.json)
LC_ALL=C sed -i 's/"m": {"values": {"1": 1/"m": {"values": {"1": 5/' ../bad.zip
compared HEAD zip:../bad.zip
head -c 300 ../side.zip >../cut.zip
compared HEAD zip:../cut.zip
head -c 3000 ../side.tar >../cut.tar
compared HEAD zip:../cut.tar
(cd ../side && tar --sort=name -cf ../twice.tar s/e/golden_values_dev.json s/b/golden_values_dev.json s/e/golden_values_dev.json)
compared HEAD zip:../twice.tar
mkdir ../pair && cp ../side.zip ../pair/x.zip && cp ../side.zip ../pair/y.zip
(cd ../pair && zip -q ../both.zip x.zip y.zip)
compared HEAD zip:../both.zip
echo '== limits'
git config regild.maxFile 60
compared HEAD path:../side
compared HEAD zip:../side.zip
compared HEAD zip:../side.tar
git config --unset regild.maxFile
git config regild.maxMembers 3
compared HEAD zip:../side.zip
compared HEAD zip:../side.tar
compared HEAD path:../side
ls "$HOME/.cache/regild/tmp" 2>/dev/null || true
