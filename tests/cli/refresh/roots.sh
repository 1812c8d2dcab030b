# SPDX-License-Identifier: Apache-2.0
# Every way to write a root, and goldens at the repository's top.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
refresh() {
	git config regild.root "$1"
	try regild refresh --run 22651183945 --only-failing -q --csv ../rows.csv --markdown ../summary.md \
		>../list 2>/dev/null
	grep '^[0-9]* updated\|exit code' ../list
	grep 'goldens: ' ../summary.md
	wc -l <../rows.csv
}
for root in $ROOT/ ./$ROOT .//$ROOT//; do
	echo "# $root"
	refresh "$root"
	git checkout -q . && git clean -qfd
done
# Goldens at the repository's top are Megatron-LM's where the layout says so.
git config regild.layout megatron
for root in . ./ ''; do
	echo "# '$root'"
	refresh "$root"
	git status --short
	regild reset -q --yes >/dev/null
	git status --short
done
for root in / /abs ../up a//b a/../b a/./b 'a\b'; do
	git config regild.root "$root"
	try regild compare
done
