# SPDX-License-Identifier: Apache-2.0
# In a job on GitHub: the summary is appended to the step's, and the worst goldens become annotations.
new_repository
for i in {1..12}; do
	golden $ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 10 -- num-zeros 5 5 -- 'a,b:c%d\ne' 1 1
done
golden "$ROOT/gpt/x,y:z%/golden_values_dev.json" 'lm loss' 10 10 -- only 1
commit
printf '[metric "lm loss"]\n\tfail = 0.5\n' >.regild
for i in {1..12}; do
	golden $ROOT/gpt/t$i/golden_values_dev.json 'lm loss' 10 1$i -- num-zeros 5 5 -- 'a,b:c%d\ne' 1 1
done
golden $ROOT/gpt/t3/golden_values_dev.json 'lm loss' 10 10 -- num-zeros 5 6 -- 'a,b:c%d\ne' 1 NaN
golden "$ROOT/gpt/x,y:z%/golden_values_dev.json" 'lm loss' 10 10
echo '# at most 10, a golden each'
regild compare -q --annotate --top 1 | grep -c '^::'
regild compare -q --annotate --top 1 | grep '^::' | cut -d : -f 3 | sort | uniq -d
echo '# what ends a property is escaped'
regild compare -q --annotate --filter 'file=*/x,*' | grep '^::'
regild compare -q --annotate --filter 'file=*/t3/*' | grep '^::'
regild compare -q --annotate --filter 'file=*/t12/*' | grep '^::'
echo '# two files are no files of the repository'
golden old.json m 1
golden new.json m 2
printf '[metric "m"]\n\tflag = 0.5\n' >.regild
regild compare -q --annotate --old old.json --new new.json | grep '^::'
echo '# a name at the beginning of a line is no command'
golden old.json '::error::a' 1 -- ' ::stop-commands::b' 1
golden new.json '::error::a' 2 -- ' ::stop-commands::b' 2
GITHUB_ACTIONS=true regild compare -q --old old.json --new new.json | grep -e "^ *::" -e x3a
golden old.json m 1
golden new.json m 2
echo '# nothing to annotate'
regild compare -q --annotate --old old.json --new old.json
echo '# the summary of a step'
try env -u GITHUB_STEP_SUMMARY regild compare --step-summary
try env GITHUB_STEP_SUMMARY= regild compare --step-summary
export GITHUB_STEP_SUMMARY=$PWD/step
regild compare -q --step-summary --markdown alone.md >/dev/null
cmp step alone.md
regild compare -q --step-summary --max-chars 3000 >/dev/null
head -c "$(wc -c <alone.md)" step | cmp - alone.md
sed -n "$(($(wc -l <alone.md) + 1)),+1p" step
[ "$(wc -c <step)" -le $(($(wc -c <alone.md) + 3001)) ]
echo '# 1 MiB in all'
head -c 1046000 /dev/zero | tr '\0' x >step
regild compare -q --step-summary >/dev/null
wc -c <step | awk '{ print ($1 > 1047000 && $1 <= 1048576) }'
regild compare -q --step-summary >/dev/null || echo "exit code $?"
wc -c <step | awk '{ print ($1 <= 1048576) }'
GITHUB_STEP_SUMMARY=$PWD regild compare -q --step-summary >/dev/null || echo "exit code $?"
echo '# one thing on stdout'
try regild compare --annotate --json -
