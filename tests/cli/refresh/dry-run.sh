# SPDX-License-Identifier: Apache-2.0
# Nothing is written; the goldens stay staged for a real update.
. "$REGILD_TOP/tests/faults/serve.sh"
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
try regild refresh --run 22651183945 --all --dry-run -q --plan ../plan.json
git status --short
grep '"staged"' ../plan.json
regild apply -q ../plan.json | grep unchanged,
regild undo -q
try regild update -q
git status --short | wc -l
echo '# an interrupted update is said once, and stops a refresh before it downloads'
git checkout -q . && git clean -fdq
serve
for n in {10..300}; do
	faulty "kill:$n" /dev/null /dev/null update || true
	[ "$(git status --short -uno | wc -l)" = 0 ] || break
	faulty none /dev/null /dev/null update --abort || true
done
regild refresh --run 22651183945 --all --dry-run -q 2>&1 >/dev/null | grep 'was interrupted'
: >"$HUB_LOG"
try regild refresh --run 22651183945 --all -q
wc -l <"$HUB_LOG"
