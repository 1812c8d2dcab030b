# SPDX-License-Identifier: Apache-2.0
# pack, verify and unpack: flows kept apart, the same goldens the same bytes.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/qnn/relu
golden_model goldens/qnn/relu_1
echo notes >goldens/qnn/README
ln -s relu.pte goldens/qnn/link.pte
regild executorch pack goldens -o one.zip
rm goldens/qnn/link.pte
touch -d 2001-01-01 goldens/*/*
chmod 600 goldens/*/*
regild executorch pack -q goldens -o two.zip
cmp one.zip two.zip
echo '# into a pipe'
{ regild executorch pack -q goldens -o /dev/fd/3 3>&1 >/dev/null; } | cmp - one.zip
regild executorch verify one.zip
regild executorch unpack one.zip
rm goldens/qnn/README
diff -r goldens one
echo '# a folder that is there is not touched'
try regild executorch unpack one.zip
regild executorch unpack one.zip -o named// && diff -r goldens named
echo '# done, but not said'
try sh -c 'regild executorch pack goldens -o full.zip >/dev/full'
try sh -c 'regild executorch unpack one.zip -o full >/dev/full'
long=$(printf 'n%.0s' {1..255})
regild executorch unpack one.zip -o "$long" && diff -r goldens "$long" && rm -r "$long"
# What a killed unpack left goes with the next one; a living one's stays, and so does what is not
# regild's.
{ REGILD_FAULT=kill:9 regild-faults executorch unpack one.zip -o killed || echo "exit code $?"; } 2>/dev/null
ls -d .tmp-regild-* | sed 's/-[0-9][0-9]*-/-PID-/'
mkdir -p .tmp-regild-9-9 .tmp-regild-precious
ln -s .. .tmp-regild-0-1
sh -c 'mkdir .tmp-regild-$$-0 && exec flock .tmp-regild-$$-0 \
	regild executorch unpack one.zip -o mine' | sed 's/-[0-9][0-9]*-/-PID-/'
ls -d .tmp-regild-* | sed 's/-[0-9][0-9]*-/-PID-/'
rm -r .tmp-regild-* mine
try regild executorch unpack one.zip -o not/here
cmp one.zip full.zip
diff -r goldens full
echo '# a zip inside an artifact, as the workflow uploads it'
regild executorch verify "$REGILD_TOP/tests/formats/artifact.zip" | sed 's|.*/||'
regild executorch unpack "$REGILD_TOP/tests/formats/artifact.zip" -o inner
diff -r goldens inner
regild executorch verify "$REGILD_TOP/tests/formats/artifact-folder.zip" | sed 's|.*/||'
echo '# zeros, which pack a thousand to one'
head -c 4000000 /dev/zero >>goldens/qnn/relu.pte
regild executorch pack goldens -o zeros.zip
regild executorch verify zeros.zip
regild executorch unpack -q zeros.zip
diff -r goldens zeros
