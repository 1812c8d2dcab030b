# SPDX-License-Identifier: Apache-2.0
# An update that is killed, and whose --abort is killed too: what follows leaves the tree as it was or
# as it is to be, and nothing beside it, not even an empty folder.
. "$REGILD_TOP/tests/faults/serve.sh"
mkdir old && cd old && git init -q --template= -b main .
for test in a b; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8
	golden ../staged/files/gpt/$test/golden_values_dev.json 'lm loss' 10 9 8.5
done
golden ../staged/files/new/deep/golden_values_dev.json 'lm loss' 1
commit
cd ..
staging_manifest staged
cp -r old new
regild -C new update -q ../staged >/dev/null
for tree in old new; do (cd $tree && find . -path ./.git -prune -o -print | sort) >$tree.names; done

# as_in OLD|NEW: the working tree, file for file and folder for folder.
as_in() {
	[ ! -e tree/.git/regild/pending ] && diff -r -x .git "$1" tree >/dev/null
}
unexpected() {
	(cd tree && find . -path ./.git -prune -o -print | sort) | comm -13 "$1.names" - | tr '\n' ' '
}
# run FAULT ARGUMENT…
run() {
	faulty "$1" /dev/null /dev/null -C tree "${@:2}"
}
serve
# rounds COMMAND TREE: killed at some of the operations of both, what COMMAND leads to.
rounds() {
	local n m
	for n in {1..500..5}; do
		for m in {1..500..3}; do
			rm -rf tree
			cp -r old tree
			run "kill:$n" update ../staged && return
			[ -e tree/.git/regild/pending ] || break
			run "kill:$m" update --abort && break
			# The abort had come to its end, but for what is kept of it.
			[ -e tree/.git/regild/pending ] || continue
			run none update "$1" || echo "killed at $n, then $m: exit code $?"
			as_in "$2" || echo "killed at $n, then $m, $1 leaves $(unexpected "$2")"
		done
	done
	echo "never done"
}
rounds --continue new
rounds --abort old
echo '# killed once, at any operation'
for n in {1..500}; do
	rm -rf tree
	cp -r old tree
	run "kill:$n" update ../staged && break
	[ -e tree/.git/regild/pending ] || continue
	run none update --abort
	as_in old || echo "killed at $n, --abort leaves $(unexpected old)"
done
