# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in front of every fourth operation of an update, an undo and a reset: nothing is changed, until all is.
. "$REGILD_TOP/tests/faults/serve.sh"
mkdir old && cd old && new_repository
for test in a b c; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5
done
golden ../staged/files/gpt/new/golden_values_dev.json 'lm loss' 1
commit
cd ..
staging_manifest staged
cp -r old new
regild -C new update -q ../staged >/dev/null

serve
# interrupted OLD NEW COMMAND…: the trees before and after, and the command between them.
interrupted() {
	local n status tree old=$1 new=$2
	shift 2
	echo "# $*"
	for n in {1..500..4}; do
		rm -rf tree
		cp -r "$old" tree
		status=0
		faulty "interrupt:$n" out err -C tree "$@" || status=$?
		if diff -r "$old/$ROOT" tree/$ROOT >differences; then
			tree=old
		elif diff -r "$new/$ROOT" tree/$ROOT >differences; then
			tree=new
		else
			tree=$(cat differences)
		fi
		[ ! -e tree/.git/regild/pending ] || tree="$tree, pending"
		echo "exit code $status, the tree: $tree, said: $(tail -n 1 out) $(cat err)" >>all
		[ "$status" != 0 ] || break
	done
	uniq all
	rm all
}
interrupted old new update ../staged
interrupted new old undo
interrupted new old reset --yes
