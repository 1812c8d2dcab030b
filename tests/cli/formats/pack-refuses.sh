# SPDX-License-Identifier: Apache-2.0
# Goldens that are not whole are named and refused, all of them at once.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/xnnpack/add
golden_model goldens/qnn/relu
rm goldens/xnnpack/relu_expected_output_0.bin
rm goldens/qnn/relu_input_0.bin
printf 12 >goldens/xnnpack/add_expected_output_1.bin
printf 1234 >goldens/xnnpack/add_input_9.bin
printf 1234 >goldens/xnnpack/mul_input.bin
printf broken >goldens/qnn/broken.pte
cp goldens/qnn/relu.pte goldens/top.pte
try regild executorch pack goldens -o no.zip
test ! -e no.zip
mkdir empty
try regild executorch pack empty -o no.zip
try regild executorch pack nothing -o no.zip
try regild executorch pack goldens
try regild executorch pack goldens -o -
try regild executorch pack -o no.zip
golden_model whole/qnn/relu
try regild executorch pack whole -o /dev/full
try regild executorch pack whole -o ''
try regild executorch unpack
try regild executorch unpack whole.tar
try regild executorch unpack .zip
try regild executorch unpack whole.zip -o ''
try regild executorch verify
echo '# a program that is cut off in the data behind it: 8 bytes at byte 272, of which 5 are there'
golden_model cut/qnn/relu
{
	printf '\060\0\0\0ET12eh00\040\0\0\0\020\001\0\0\0\0\0\0\020\001\0\0\0\0\0\0\010\0\0\0\0\0\0\0'
	tail -c +9 whole/qnn/relu.pte
	printf 12345
} >cut/qnn/relu.pte
try regild executorch pack cut -o cut.zip
printf 678 >>cut/qnn/relu.pte
regild executorch pack cut -o cut.zip
rm -r cut cut.zip
echo '# more than unpack would take'
golden_model large/qnn/a
golden_model large/qnn/b
truncate -s 600k large/qnn/a.pte large/qnn/b.pte
regild executorch pack -q large -o large.zip
git config --global regild.maxTotal 1M
try regild executorch pack large -o larger.zip
test ! -e larger.zip
try regild executorch verify large.zip
try regild executorch unpack large.zip -o larger
ls larger/qnn
rm -r larger
git config --global --unset regild.maxTotal
git config --global regild.maxMembers 9
try regild executorch pack large -o larger.zip
try regild executorch unpack large.zip -o larger
git config --global --unset regild.maxMembers
rm -r large large.zip
echo '# a zip that is damaged'
regild executorch pack -q whole -o whole.zip
printf X | dd of=whole.zip bs=1 seek=60 conv=notrunc 2>/dev/null
try regild executorch verify whole.zip
try regild executorch unpack whole.zip
ls
printf 'no zip' >no.zip
try regild executorch verify no.zip
echo '# other files, and nothing at all'
regild executorch pack -q whole -o other.zip
LC_ALL=C sed -i 's/relu\.pte/relu.txt/g' other.zip
try regild executorch verify other.zip
printf 'PK\005\006\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >empty.zip
try regild executorch unpack empty.zip -o new
try regild executorch verify empty.zip
header='\024\0\0\0\0\0\0\0\041\0\0\0\0\0\0\0\0\0\0\0\0\0\012\0\0\0'
printf "PK\003\004${header}qnn/README" >one.zip
printf "PK\001\002\024\003$header\0\0\0\0\0\0\0\0\0\0\0\0\0\0qnn/README" >>one.zip
printf 'PK\005\006\0\0\0\0\001\0\001\0\070\0\0\0\050\0\0\0\0\0' >>one.zip
regild executorch unpack one.zip
find one -type f
rm -r one one.zip
ls
echo '# a folder that would be git'"'"'s own: its neighbours come out'
golden_model hostile/xgit/m
golden_model hostile/qnn/m
golden_model hostile/qnn/m.pte_
regild executorch pack -q hostile -o hostile.zip
LC_ALL=C sed -i 's/xgit/.GiT/g' hostile.zip
try regild executorch verify hostile.zip
mv hostile expected
rm -r expected/xgit
try regild executorch unpack hostile.zip
diff -r expected hostile
echo '# a folder that is too deep: its neighbours come out'
golden_model deep/qnn/m
half=$(printf 'dx%.0s' {1..64})
golden_model "deep/${half}d/${half}m"
regild executorch pack -q deep -o deep.zip
LC_ALL=C sed -i 's|dx|d/|g' deep.zip
rm -r deep
try regild executorch unpack deep.zip
find deep -type f | sort
echo '# a file where another one needs a folder'
golden_model clash/qnn/m
golden_model clash/qnn/mXpte/m
regild executorch pack -q clash -o clash.zip
LC_ALL=C sed -i 's/mXpte/m.pte/g' clash.zip
try regild executorch verify clash.zip
try regild executorch unpack clash.zip -o unpacked
test ! -e unpacked
