# SPDX-License-Identifier: Apache-2.0
# Each golden is hashed and parsed once on its way through a command, and each pair compared once: of
# the demo's 10 goldens 8 are changed, 1 is new and 1 is unchanged. What a refresh reports is what a
# comparison of its own finds.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
counts() {
	echo "$*"
	"$@" -vv 2>&1 >/dev/null | grep '^regild: goldens: ' || true
}
svg() {
	sed -n '/^<svg/,/<\/svg>/p' "$1"
}
counts regild download --run 22651183945 --only-failing
git status --short | wc -l
counts regild update
git status --short | wc -l
counts regild compare --html ../compared.html --csv ../compared.csv
regild undo -q >/dev/null
rm -rf .git/regild/runs "$XDG_CACHE_HOME/regild"
counts regild refresh --run 22651183945 --only-failing --html ../refreshed.html --csv ../refreshed.csv
cmp ../compared.csv ../refreshed.csv
cmp <(svg ../compared.html) <(svg ../refreshed.html) && svg ../refreshed.html | grep -c '<svg'
echo '# out of the cache'
regild undo -q >/dev/null
counts regild refresh --run 22651183945 --only-failing
echo '# with a pattern, goldens that go in are compared with HEAD again'
regild undo -q >/dev/null
counts regild refresh --run 22651183945 --only-failing --except '*tp1_pp2*' --html ../refreshed.html
