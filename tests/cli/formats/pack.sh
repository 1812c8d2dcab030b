# pack, verify and unpack: flows kept apart, the same goldens the same bytes.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/qnn/relu
golden_model goldens/qnn/relu_1
echo notes >goldens/qnn/README
ln -s relu.pte goldens/qnn/link.pte
regild pack goldens -o one.zip
rm goldens/qnn/link.pte
touch -d 2001-01-01 goldens/*/*
chmod 600 goldens/*/*
regild pack -q goldens -o two.zip
cmp one.zip two.zip
regild verify one.zip
regild unpack one.zip
rm goldens/qnn/README
diff -r goldens one
echo '# a folder that is there is not touched'
try regild unpack one.zip
regild unpack one.zip -o named// && diff -r goldens named
echo '# done, but not said'
try sh -c 'regild pack goldens -o full.zip >/dev/full'
try sh -c 'regild unpack one.zip -o full >/dev/full'
long=$(printf 'n%.0s' {1..255})
regild unpack one.zip -o "$long" && diff -r goldens "$long" && rm -r "$long"
# Another's folder of the name that this one's temporary would have.
try sh -c 'mkdir .tmp-regild-$$ && touch .tmp-regild-$$/precious && exec regild unpack one.zip -o mine' 2>&1 |
	sed 's/-[0-9][0-9]*:/-PID:/'
rm .tmp-regild-*/precious && rmdir .tmp-regild-*
try regild unpack one.zip -o not/here
cmp one.zip full.zip
diff -r goldens full
echo '# a zip inside an artifact, as the workflow uploads it'
regild verify "$REGILD_TOP/tests/formats/artifact.zip" | sed 's|.*/||'
regild unpack "$REGILD_TOP/tests/formats/artifact.zip" -o inner
diff -r goldens inner
regild verify "$REGILD_TOP/tests/formats/artifact-folder.zip" | sed 's|.*/||'
echo '# zeros, which pack a thousand to one'
head -c 4000000 /dev/zero >>goldens/qnn/relu.pte
regild pack goldens -o zeros.zip
regild verify zeros.zip
regild unpack -q zeros.zip
diff -r goldens zeros
