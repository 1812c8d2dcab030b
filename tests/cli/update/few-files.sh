# SPDX-License-Identifier: Apache-2.0
# A process that may have few files open: what holds many open takes turns.
new_repository
for i in {1..61}; do
	golden $ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 9
	golden ../staged/$ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 8
done
commit
ulimit -n 36
regild refresh -q --from ../staged --dry-run --plan ../plan.json | tail -n 1
regild apply -q ../plan.json | tail -n 1
regild undo -q
git status --short
