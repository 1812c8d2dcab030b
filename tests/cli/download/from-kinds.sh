# SPDX-License-Identifier: Apache-2.0
# The same artifacts as a folder, as a tar of every kind, as a zip, as zips and tars in a folder, and as a staging
# folder: what is staged is the same, and so is what is said of links, pipes, duplicates and damage, but for the place.
new_repository
for test in gpt/a gpt/b gpt/c moe/d; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 1
done
commit
mkdir ../dl ../zips ../mixed
value=1
for name in logs-a-77-x logs-b-77-x logs-c-77-x logs-d-77-x; do
	value=$((value + 1))
	golden ../dl/$name/golden_values_dev.json 'lm loss' $value
	echo "not read" >../dl/$name/stdout.log
done

kind() {
	local status=0
	echo "# $1"
	regild download --from "${@:2}" -o ../staged >../said 2>../errors || status=$?
	[ $status = 0 ] || echo "exit code $status"
	sed 's/^/  /' ../said ../errors
	{
		staged ../staged
		grep -oe '"target": [^,]*' -e '"reason": "[^"]*"' ../staged/manifest.json
	} >../now
	if [ -e ../first ] && cmp -s ../first ../now; then
		echo "  the same is staged"
	else
		sed 's/^/  /' ../now
	fi
	[ -e ../first ] || cp ../now ../first
	rm -rf ../staged
}

kinds() {
	rm -rf ../first ../zips ../mixed
	mkdir ../zips ../mixed
	kind folder ../dl
	kind 'folder with a slash' ../dl/
	tar --sort=name -cf ../dl.tar -C ../dl .
	tar --sort=name -cf ../around.tar -C .. dl
	gzip -k -c ../dl.tar >../dl.tar.gz
	xz -k -c ../dl.tar >../dl.tar.xz
	(cd ../dl && find logs-* ! -name '*pipe*' | LC_ALL=C sort >../list && zip -q -y -@ ../dl.zip <../list && zip -q -0 -y -@ ../stored.zip <../list && rm ../list)
	for archive in dl.tar around.tar dl.tar.gz dl.tar.xz dl.zip stored.zip; do
		kind $archive ../$archive
	done
	for name in logs-a-77-x logs-b-77-x logs-c-77-x logs-d-77-x; do
		(cd ../dl/$name && zip -q -r -y ../../zips/$name.zip . -x '*pipe*')
	done
	kind zips ../zips
	cp -r ../dl/logs-a-77-x ../mixed/
	cp ../zips/logs-b-77-x.zip ../mixed/
	tar --sort=name -czf ../mixed/logs-c-77-x.tgz -C ../dl/logs-c-77-x .
	tar --sort=name -cf ../mixed/logs-d-77-x.tar -C ../dl logs-d-77-x
	kind 'folder, zip, tar' ../mixed
	kind 'each for itself' ../dl/logs-a-77-x ../zips/logs-b-77-x.zip ../mixed/logs-c-77-x.tgz ../mixed/logs-d-77-x.tar
	rm -f ../dl.zip ../stored.zip
}
echo '== as they should be'
kinds
regild -q download --from ../dl -o ../whole
kind 'staging folder' ../whole
echo '== hidden, deeper, empty'
mkdir ../dl/logs-c-77-x/deeper ../dl/.hidden ../dl/logs-z-77-x
cp ../dl/logs-a-77-x/golden_values_dev.json ../dl/logs-c-77-x/deeper/
cp ../dl/logs-a-77-x/golden_values_dev.json ../dl/.hidden/
kinds
rm -r ../dl/logs-c-77-x/deeper ../dl/.hidden ../dl/logs-z-77-x
echo '== links and pipes'
echo secret >../secret
ln -s ../../secret ../dl/logs-a-77-x/golden_values_link.json
ln -s golden_values_dev.json ../dl/logs-b-77-x/golden_values_inner.json
mkfifo ../dl/logs-d-77-x/golden_values_pipe.json
ln -s logs-a-77-x ../dl/logs-b-77-link
kinds
rm ../dl/logs-a-77-x/golden_values_link.json ../dl/logs-b-77-x/golden_values_inner.json
rm ../dl/logs-d-77-x/golden_values_pipe.json ../dl/logs-b-77-link
echo '== zips inside of artifacts'
git config regild.files 'pack*.zip!**/*.json'
for name in logs-a-77-x logs-b-77-x; do
	(cd ../dl/$name && mkdir in && mv golden_values_dev.json in && zip -q pack_1.zip in/* && rm -r in)
done
kinds
git config --unset regild.files
echo '== a pointer of Git LFS is what it is'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 9\n' 1 >../dl/logs-c-77-x/golden_values_dev.json
rm -r ../dl/logs-a-77-x ../dl/logs-b-77-x
kind folder ../dl
tar --sort=name -cf ../dl.tar -C ../dl .
rm ../first
kind tar ../dl.tar
echo '== a checkout: sparse, with links'
golden ../other/$ROOT/gpt/a/golden_values_dev.json 'lm loss' 5
golden ../other/$ROOT/gpt/b/golden_values_dev.json 'lm loss' 6
git -C ../other init -q -b main
git -C ../other add . && git -C ../other commit -q -m all
git -C ../other sparse-checkout set --cone $ROOT/gpt/a
ln -s ../a/golden_values_dev.json ../other/$ROOT/gpt/a/golden_values_link.json
rm ../first
kind checkout ../other
rm ../other/$ROOT/gpt/a/golden_values_link.json
ln -s ../a ../other/$ROOT/gpt/c
rm ../first
kind checkout ../other
