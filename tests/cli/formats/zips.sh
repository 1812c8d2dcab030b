# SPDX-License-Identifier: Apache-2.0
# Two zips are compared where they are: packed or not, and in another zip as upload-artifact makes it.
. "$REGILD_TOP/tests/formats/goldens.sh"
for flow in qnn xnnpack; do
	golden_model old/$flow/m
	golden_model new/$flow/m
	truncate -s 2M old/$flow/m.pte new/$flow/m.pte
done
printf X | dd of=new/qnn/m.pte bs=1 seek=2000000 conv=notrunc 2>/dev/null
printf X | dd of=new/xnnpack/m_expected_output_0.bin bs=1 seek=2 conv=notrunc 2>/dev/null
for side in old new; do
	(cd $side && find . -type f | sort >../names && zip -qX0 -@ ../$side-stored.zip <../names && zip -qX -@ ../$side-packed.zip <../names)
	zip -q $side-packed-in-packed.zip $side-packed.zip
	zip -q0 $side-stored-in-stored.zip $side-stored.zip
	zip -q $side-stored-in-packed.zip $side-stored.zip
	zip -q0 $side-packed-in-stored.zip $side-packed.zip
done
mkdir tmp
export TMPDIR=$PWD/tmp
compared() {
	regild compare "$@" --csv - 2>/dev/null | cut -d , -f 1-4
}
compared old-stored.zip new-stored.zip | tee expected
for kind in packed packed-in-packed stored-in-stored stored-in-packed packed-in-stored; do
	compared old-$kind.zip new-$kind.zip | cmp - expected
	compared old new-$kind.zip | cmp - expected
	compared old-$kind.zip new-stored.zip | cmp - expected
done
echo '# nothing is left'
ls tmp
echo '# a file with a file, and path: as the file that it is'
echo notes >notes.txt
compared old-stored.zip notes.txt
compared path:old-stored.zip new-stored.zip
echo '# what is damaged is named, its neighbours are compared'
cp new-stored.zip damaged.zip
printf Y | dd of=damaged.zip bs=1 seek=1999999 conv=notrunc 2>/dev/null
try regild compare -q old-stored.zip damaged.zip
echo '# more than one zip in it, of which two have the same names'
zip -q0 two.zip old-stored.zip new-stored.zip
printf '[regild]\n\troot = .\n\tfiles = *.zip!**/*.bin\n' >.regild
git init -q --template= .
try regild compare -q two.zip old-stored-in-stored.zip
rm -r .git .regild
echo '# none'
zip -q none.zip notes.txt
try regild compare none.zip none.zip
