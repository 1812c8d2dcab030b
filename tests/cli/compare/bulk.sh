# SPDX-License-Identifier: Apache-2.0
# --fail-on changed-goldens=N: more than N may not change at a time, unless a commit of those that are compared says so.
new_repository
for i in 1 2 3 4; do golden $ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 9; done
commit
git branch base
gate() { try regild compare -q --allow shrink "$@" | tail -n 1; }
for i in 1 2; do golden $ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 8; done
echo '{"lm loss": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": 10.0, "2": 9}}}' >$ROOT/gpt/t3/golden_values_dev.json
gate --fail-on changed-goldens=2
gate --fail-on changed-goldens=1
git rm -qf $ROOT/gpt/t4/golden_values_dev.json
golden $ROOT/gpt/new/golden_values_dev.json 'lm loss' 1
gate --fail-on changed-goldens=3
gate --fail-on changed-goldens=4,nonfinite
gate --fail-on changed-goldens
gate --fail-on changed-goldens=many
echo '# a commit says so'
git add -A && git commit -qm $'Change the loss\n\nRegild-Bulk: no'
gate base... --fail-on changed-goldens=3
git commit -q --allow-empty -m $'More\n\nRegild-bulk: Yes\nRegild-Run: 7'
try regild compare base... --fail-on changed-goldens=3 2>&1 >/dev/null | grep Bulk | sed 's/commit [0-9a-f]*/commit SHA/'
gate base... --fail-on changed-goldens=3
gate HEAD~1 base --fail-on changed-goldens=3
