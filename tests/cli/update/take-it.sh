# SPDX-License-Identifier: Apache-2.0
# The call that is named for a golden that was held back passes, as it is, from where the update was called.
new_repository
mkdir -p other 'a folder'
for test in nan steps dirty 'glob[a]x' globax; do
	golden "$ROOT/gpt/$test/golden_values_dev.json" 'lm loss' 10 9 -- t 1 1
	golden "a folder/files/gpt/$test/golden_values_dev.json" 'lm loss' 10 8 -- t 1 1
done
commit
golden "a folder/files/gpt/nan/golden_values_dev.json" 'lm loss' NaN 8 -- t 1 1
for test in steps dirty 'glob[a]x' globax; do
	golden "a folder/files/gpt/$test/golden_values_dev.json" 'lm loss' 10
done
echo ' ' >>$ROOT/gpt/dirty/golden_values_dev.json
staging_manifest 'a folder'
cd other
try regild -C .. update --stage 'a folder' | tee ../calls
git status --short
sed -n 's/^ *to take it: //p' ../calls >../calls.sh
. ../calls.sh
git status --short
echo '# of a run, by its number, and with the metrics that were asked for'
cd ..
git checkout -q HEAD -- $ROOT
mkdir -p .git/regild/runs && mv 'a folder' .git/regild/runs/7
golden .git/regild/runs/7/files/gpt/nan/golden_values_dev.json 'lm loss' 5 6 -- t NaN 1
staging_manifest .git/regild/runs/7
try regild update --run 7 --only nan --metric t | tee calls
eval "$(sed -n 's/^ *to take it: //p' calls)"
echo '# none where nothing lets it through'
echo '{' >.git/regild/runs/7/files/gpt/nan/golden_values_dev.json
staging_manifest .git/regild/runs/7
try regild update --only nan
