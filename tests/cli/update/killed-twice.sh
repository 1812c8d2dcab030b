# SPDX-License-Identifier: Apache-2.0
# An update that is killed, and whose --abort is killed too: what follows leaves the tree as it was or
# as it is to be, and nothing beside it, not even an empty folder.
mkdir old && cd old && new_repository
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

# as_in OLD|NEW: the working tree, file for file.
as_in() {
	diff -r -x .git "$1" tree >/dev/null && (cd tree && find . -path ./.git -prune -o -print | sort) |
		cmp -s - "$1.names" && [ ! -e tree/.git/regild/pending ]
}
unexpected() {
	(cd tree && find . -path ./.git -prune -o -print | sort) | comm -13 "$1.names" - | tr '\n' ' '
}
killed() {
	(REGILD_FAULT=kill:$1 exec regild-faults -C tree "${@:2}") >/dev/null 2>&1
}
# rounds COMMAND TREE: killed at some of the operations of both, what COMMAND leads to.
rounds() {
	local n m
	for n in $(seq 1 5 500); do
		for m in $(seq 1 3 500); do
			rm -rf tree
			cp -r old tree
			killed "$n" update ../staged && return
			[ -e tree/.git/regild/pending ] || break
			killed "$m" update --abort && break
			# The abort had come to its end, but for what is kept of it.
			[ -e tree/.git/regild/pending ] || continue
			regild -C tree update "$1" >/dev/null || echo "killed at $n, then $m: exit code $?"
			as_in "$2" || echo "killed at $n, then $m, $1 leaves $(unexpected "$2")"
		done
	done 2>/dev/null
	echo "never done"
}
rounds --continue new
rounds --abort old
echo '# killed once, at any operation'
for n in $(seq 500); do
	rm -rf tree
	cp -r old tree
	killed "$n" update ../staged && break
	[ -e tree/.git/regild/pending ] || continue
	regild -C tree update --abort >/dev/null
	as_in old || echo "killed at $n, --abort leaves $(unexpected old)"
done 2>/dev/null
