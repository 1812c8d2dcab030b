# Steps that are not one behind the other, a metric whose name has to be quoted twice, and a run that
# cannot be read: as the model, the policy and the JSON have them.
new_repository
for run in 1 2 3; do
	mkdir -p runs/$run
	printf '{"a\\"b\\\\c": {"start_step": 1, "end_step": 9, "step_interval": 4, "values": {"1": 1%d, "5": 2, "9": 3.%d}}}' \
		$run $run >runs/$run/golden_values_dev.json
done
regild audit -q --model model.json --write-policy --from runs/*
sed -n '/"metric"/p; /"steps"/p' model.json
regild compare -q --old runs/1/golden_values_dev.json --new runs/2/golden_values_dev.json --noise model.json -o metric,n_steps,verdict
grep -F '[metric' .regild
git add .regild && commit
echo '# the policy is that metric'\''s'
regild compare -q --old runs/1/golden_values_dev.json --new runs/2/golden_values_dev.json -o metric,score,level
echo '# a run that cannot be read'
echo '{' >runs/1/golden_values_dev.json
try regild audit -q --json - --from runs/* >audit.json
grep -A 2 '"unreadable"' audit.json
