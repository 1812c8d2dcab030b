# SPDX-License-Identifier: Apache-2.0
# The policy's steps and kind say what is looked at.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'iteration-time' '"nan"' 1 2 -- 'num-zeros' NaN
cat >.regild <<'END'
[metric "iteration-time"]
	steps = 2..
[metric "num-*"]
	kind = ignore
END
commit
regild check
printf '[metric "iteration-time"]\n\tsteps = 5\n' >>.regild
try regild check
printf '[metric "lm loss"]\n\tfial = 0.1\n' >.regild
try regild check
