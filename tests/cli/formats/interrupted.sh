# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in front of each operation of an unpack: nothing is made, until all is; what has been made is said.
. "$REGILD_TOP/tests/formats/goldens.sh"
golden_model goldens/xnnpack/relu
golden_model goldens/qnn/relu
regild executorch pack -q goldens -o one.zip
for n in $(seq 200); do
	mkdir made
	status=0
	REGILD_FAULT=interrupt:$n regild-faults executorch unpack one.zip -o made/one >out 2>err || status=$?
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
for n in $(seq 200); do
	mkdir made
	status=0
	REGILD_FAULT=fail:change:$n:EIO regild-faults executorch unpack one.zip -o made/one >out 2>err || status=$?
	[ ! -e made/one ] || diff -r goldens made/one
	[ "$status" != 0 ] || break
	echo "exit code $status, made: $(ls -A made)"
	rm -r made
done | uniq
