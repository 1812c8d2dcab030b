# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in front of each operation of an unpack: nothing is made, until all is; what has been made is said.
. "$REGILD_TOP/tests/formats/goldens.sh"
. "$REGILD_TOP/tests/faults/serve.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/qnn/relu
regild executorch pack -q goldens -o one.zip
serve
for n in {1..200}; do
	mkdir made
	status=0
	faulty "interrupt:$n" out err executorch unpack one.zip -o made/one || status=$?
	if [ -z "$(ls -A made)" ]; then
		made=nothing
	else
		made=$(ls made)
		diff -r goldens made/one
	fi
	echo "exit code $status, made: $made, said: $(cat out err)" >>all
	rm -r made
	[ "$status" != 0 ] || break
done
uniq all
echo '# what fails'
for n in {1..200}; do
	mkdir made
	status=0
	faulty "fail:change:$n:EIO" out err executorch unpack one.zip -o made/one || status=$?
	[ ! -e made/one ] || diff -r goldens made/one
	[ "$status" != 0 ] || break
	echo "exit code $status, made: $(ls -A made)"
	rm -r made
done >all
uniq all
