# SPDX-License-Identifier: Apache-2.0
# What is wrong with the reports is said before anything is fetched or changed; what is lost after
# the update makes it done in part, never "nothing was changed".
[ -c /dev/full ] || skip "needs /dev/full"
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
refresh() {
	echo "refresh $*"
	try regild refresh --run 22651183945 --only-failing -q "$@"
}
{
	refresh --filter bogus
	refresh --fail-above 'lm loss=x'
	refresh --fail-on never
	refresh --noise-level 3
	refresh --noise nowhere
	refresh --threshold -1
	refresh --csv - --json -
	refresh --markdown - --template nowhere
	refresh --csv nowhere/x
	refresh --csv ../out.csv --markdown .
	refresh --json ''
	git config regild.noise nowhere
	refresh
	git config --unset regild.noise
} 2>&1
git status --short
[ ! -s "$HUB_LOG" ] && [ ! -e ../out.csv ] && [ ! -e .git/regild/runs ] && echo "nothing was asked, nothing made"
changed() {
	git status --short | wc -l
}
{
	refresh --threshold 1 --markdown /dev/full
	changed
	try sh -c 'regild undo -q >/dev/full'
	changed
	try sh -c 'regild update -q >/dev/full'
	changed
	try sh -c 'regild update -q >/dev/full'
	try sh -c 'regild reset -q --yes >/dev/full'
	changed
	try sh -c 'regild refresh --run 22651183945 --only-failing -q >/dev/full'
	changed
	try sh -c 'regild download --run 22651183945 --all -q --jobs 1 >/dev/full'
} 2>&1
