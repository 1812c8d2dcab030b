# SPDX-License-Identifier: Apache-2.0
# NaN is never called ready for a commit: what was let through is not, and what the merge gate refuses is
# named, usual as it may be.
new_repository
for test in a b; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10 9 -- iteration-time NaN 1
done
commit
echo run >.git/info/exclude
golden run/logs-a-7-x/golden_values_dev.json 'lm loss' 10 NaN -- iteration-time NaN 1
golden run/logs-b-7-x/golden_values_dev.json 'lm loss' 10 9 -- iteration-time NaN 2
try regild refresh -q --from run
try regild check --changed
regild undo -q
try regild refresh -q --from run --allow nonfinite
