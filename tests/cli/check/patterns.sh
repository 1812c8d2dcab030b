# SPDX-License-Identifier: Apache-2.0
# NaN that a log leaves on purpose, and that git has always had, are no findings; each in place of a number is one.
new_repository
git config regild.nonfinite usual
before() {
	golden $ROOT/gpt/warm/golden_values_dev.json 'num-zeros' NaN NaN 3 4 5 -- 'lm loss' 1 1 1 1 1
	golden $ROOT/gpt/log/golden_values_dev.json 'iteration-time' NaN 1 NaN 1 NaN -- 'lm loss' NaN 1 NaN 1 NaN
	golden $ROOT/gpt/full/golden_values_dev.json 'iteration-time' 1 1 1 1 1
}
before
commit
regild check
regild check -v
echo '# figures that became NaN, in the pattern or not'
golden $ROOT/gpt/warm/golden_values_dev.json 'num-zeros' NaN NaN NaN 4 5 -- 'lm loss' NaN 1 1 1 1
golden $ROOT/gpt/log/golden_values_dev.json 'iteration-time' NaN 1 NaN 1 NaN -- 'lm loss' NaN NaN NaN 1 NaN
golden $ROOT/gpt/full/golden_values_dev.json 'iteration-time' NaN 1 1 1 1
try regild check --changed
try regild check $ROOT/gpt/full/golden_values_dev.json
commit
echo '# the baseline is what --base names'
regild check --changed
try regild check --changed --base HEAD~1
echo '# new to git, or outside of it: iteration-time alone is expected to have them, by the layout of Megatron-LM'
golden $ROOT/gpt/fresh/golden_values_dev.json 'iteration-time' NaN 1 1 1 1 -- 'lm loss' NaN 1 1 1 1
try regild check --changed
cp $ROOT/gpt/fresh/golden_values_dev.json "$SCRATCH/g.json"
try regild check "$SCRATCH/g.json"
echo '# a baseline that cannot be read is none'
golden $ROOT/gpt/fresh/golden_values_dev.json 'lm loss' 1
echo >$ROOT/gpt/fresh/golden_values_dev.json
commit
cp "$SCRATCH/g.json" $ROOT/gpt/fresh/golden_values_dev.json
try regild check --changed
try regild check --changed -v
echo '# where git cannot be asked, that is said'
git init -q --bare ../bare
GIT_DIR=../bare regild check "$SCRATCH/g.json"
# exit: 1
