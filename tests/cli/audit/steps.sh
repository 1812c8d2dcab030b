# SPDX-License-Identifier: Apache-2.0
# Steps that are not one after the other, a metric whose name has to be quoted twice, and a run that
# cannot be read: as the model, the policy and the JSON have them.
new_repository
for run in 1 2 3 4 5; do
	mkdir -p runs/$run
	printf '{"a\\"b\\\\c": {"start_step": 1, "end_step": 9, "step_interval": 4, "values": {"1": 1%d, "5": 2, "9": 3.%d}}}' \
		$run $run >runs/$run/golden_values_dev.json
done
regild audit -q --model model.db --write-policy --from runs/*
sqlite3 model.db 'SELECT metric, first_step, steps FROM series JOIN contents USING (series)'
regild compare -q --old runs/1/golden_values_dev.json --new runs/2/golden_values_dev.json --noise model.db --columns metric,n_steps,verdict
grep -F '[metric' .regild
git add .regild && commit
echo '# the policy is that metric'\''s'
regild compare -q --old runs/1/golden_values_dev.json --new runs/2/golden_values_dev.json --columns metric,score,level
echo '# a run that cannot be read'
echo '{' >runs/1/golden_values_dev.json
try regild audit -q --json audit.json --from runs/*
grep '"unreadable golden", "run"' audit.json
echo '# --start-step leaves out so many values of a median, a maximum its first: the policy begins behind them'
for run in 1 2 3 4 5; do
	mkdir -p slow/$run
	for step in 1 6 11 16 21 26; do printf ', "%d": %d%d' $step $run $step; done >warm-up
	printf '{"iteration-time": {"start_step": 1, "end_step": 41, "step_interval": 5, "values": {%s, "31": 10.0%d, "36": 10, "41": 9}},
		"mem-a": {"start_step": 1, "end_step": 11, "step_interval": 5, "values": {"1": 9%d, "6": 7.%d, "11": 8}}}' \
		"$(cut -c3- warm-up)" $run $run $run >slow/$run/golden_values_dev.json
done
rm .regild
regild audit --start-step 6 --write-policy --from slow/* | grep 'failing golden'
sed '/ runs of /d' .regild
regild compare -q --old slow/1/golden_values_dev.json --new slow/4/golden_values_dev.json --columns metric,level
echo '# and where files begin at different steps'
for run in 1 2 3 4 5; do
	mkdir -p slow/$run/b
	printf '{"iteration-time": {"start_step": 1, "end_step": 8, "step_interval": 1, "values": {%s, "7": 10.0%d, "8": 10}},
		"mem-a": {"start_step": 1, "end_step": 3, "step_interval": 1, "values": {"1": 9%d, "2": 7.%d, "3": 8}}}' \
		"$(for step in 1 2 3 4 5 6; do printf '%s"%d": %d%d' "${comma-}" $step $run $step; comma=', '; done)" \
		$run $run $run >slow/$run/b/golden_values_dev.json
done
regild audit -q --start-step 6 --write-policy --from slow/*
grep '^\[metric\|steps' .regild
