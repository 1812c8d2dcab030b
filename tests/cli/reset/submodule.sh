# SPDX-License-Identifier: Apache-2.0
# The goldens are in a submodule, where everything is committed. A reset removes none of them; what asks for changes says
# where they are, and so does what finds the submodule not checked out.
mkdir -p ../sub
(
	cd ../sub
	new_repository
	golden goldens/gpt/a/golden_values_dev.json 'lm loss' 1 2
	golden goldens/gpt/b/golden_values_dev.json 'lm loss' 1 NaN
	commit
)
new_repository
git -c protocol.file.allow=always submodule --quiet add "$SCRATCH/sub" data/sub
printf '[regild]\n\troot = data/sub/goldens\n' >.regild
commit
all() {
	for call in 'reset --dry-run' 'reset --yes' compare 'compare HEAD~0' 'compare --staged' 'check --changed' check; do
		echo "== $call"
		try regild $call
	done 2>&1
	git status --short
}
all
git -C data/sub status --short
echo '# the submodule as a whole'
git config regild.root data/sub
try regild reset --yes
try regild compare
git config --unset regild.root
echo '# not checked out'
git submodule --quiet deinit -f data/sub
all
git config regild.root data/sub
try regild compare
