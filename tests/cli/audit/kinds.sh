# SPDX-License-Identifier: Apache-2.0
# The same run as a folder, a file, a staging folder and a commit is measured alike; names with dots, links and other
# files are left alone.
new_repository
git config regild.files 'golden*.json'
for value in 1 2 3; do
	golden $ROOT/gpt/a/golden_values_dev.json "lm loss" $value.5 9.0
	golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 5.0 $value.0
	commit "run $value"
	mkdir -p ../staged/$value
	cp -r $ROOT ../staged/$value/files
	staging_manifest ../staged/$value $value
	cp -r $ROOT ../folder$value
done
ln -s ../gpt/a/golden_values_dev.json ../folder1/golden_values_link.json
ln -s gpt ../folder1/linked
golden ../folder1/.hidden/golden_values_dev.json other 1
golden ../folder1/gpt/a/.golden_values_dev.json other 1
echo notes >../folder2/gpt/notes.txt

measured() {
	local status=0
	echo "# audit ${*:2}"
	regild audit -q --csv ../rows "${@:2}" >/dev/null 2>../errors || status=$?
	[ $status = 0 ] || echo "exit code $status"
	sed 's/^/  /' ../errors
	sed "s|$ROOT/||" ../rows >../now
	if [ -e ../first ] && cmp -s ../first ../now; then
		echo "  the same"
	else
		sed 's/^/  /' ../now
	fi
	[ -e ../first ] || cp ../now ../first
	rm -f ../rows
}
measured x --from ../folder1 ../folder2 ../folder3
measured x --from ../staged/1 ../staged/2 ../staged/3
measured x --from ../staged/1/files ../folder2 ../folder3
measured x --history HEAD
echo '== one golden each'
rm ../first
measured x --from ../folder1/gpt/b/golden_values_dev.json ../folder2/gpt/b/golden_values_dev.json ../folder3/gpt/b/golden_values_dev.json
mkdir ../b
for value in 1 2 3; do
	cp ../folder$value/gpt/b/golden_values_dev.json ../b/$value.json
done
measured x --from ../b/1.json ../b/2.json ../b/3.json
echo '== a pointer of Git LFS, a large one, one that is gone'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 9\n' 1 >../folder1/gpt/a/golden_values_dev.json
rm ../folder2/gpt/a/golden_values_dev.json
rm ../first
measured x --from ../folder1 ../folder2 ../folder3
cp ../folder1/gpt/a/golden_values_dev.json $ROOT/gpt/a/golden_values_dev.json
git rm -q $ROOT/gpt/b/golden_values_dev.json
commit "run 4"
measured x --history HEAD
git config regild.maxFile 60
measured x --from ../folder1 ../folder2 ../folder3
