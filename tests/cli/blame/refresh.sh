# SPDX-License-Identifier: Apache-2.0
# A refresh writes the message of its commit; git reads the same trailers out of it as 'regild blame', which
# names the run through later commits, a rename and a merge.
start_hub "$REGILD_TOP/fixtures/demo"
cp -r "$REGILD_TOP/fixtures/demo/repository" repository && cd repository
new_repository && git remote add origin https://github.com/NVIDIA/Megatron-LM.git && commit
# Without the ids of commits whose messages say more than is tested here.
blame() {
	regild blame "$@" | sed -E 's/\b[0-9a-f]{10} 2026/ID 2026/'
}
golden=$ROOT/gpt/gpt3_mcore_te_tp1_pp2/golden_values_dev_dgx_h100.json
other=$ROOT/gpt/gpt3_mcore_te_tp4_pp1_frozen_resume/golden_values_dev_dgx_h100.json
echo '# before'
blame $golden
status=0
regild refresh -q --run 22651183945 --only-failing --csv - --message ../message >../rows.csv || status=$?
[ $status = 4 ] # an artifact has expired
sed -n '1p; /^Regild/p' ../message
git add -A && git commit -q -F ../message
echo '# after'
blame $golden >../blamed
cat ../blamed
git log -1 --format=%B | git interpret-trailers --parse | cmp - <(tail -n 4 ../message)
git log -1 --format='%(trailers:key=Regild-Run,valueonly)'
echo '# a golden that the run left as it was'
blame $other
echo '# from a subfolder, after a rename, a merge and what changes nothing in the golden'
git checkout -q -b side
git mv $golden $ROOT/gpt/renamed.json && git commit -q -m rename
git checkout -q main && git commit -q --allow-empty -m main
git merge -q --no-ff -m merge side
git rm -q --cached $other && git commit -q -m 'remove another'
(cd $ROOT/gpt && blame renamed.json) | sed 1d | diff <(sed 1d ../blamed) -
echo '# changed since'
golden $ROOT/gpt/renamed.json 'lm loss' 1 && git commit -q -a -m 'change it'
golden $ROOT/gpt/renamed.json 'lm loss' 2 && git commit -q -a -m 'change it again'
rm $ROOT/gpt/renamed.json
blame $ROOT/gpt/renamed.json
git checkout -q $ROOT/gpt/renamed.json
echo '# a refresh whose goldens are in HEAD has no message'
git checkout -q -f -B main HEAD~5
regild refresh --run 22651183945 --only-failing --message ../none 2>&1 >../rows.csv | grep 'commit message'
[ ! -e ../none ]
