# SPDX-License-Identifier: Apache-2.0
# Each number of a benchmark's report is a metric, or a warning says that one differs that is none.
mkdir old new
# google SIDE TIME TIME SPREAD CV: two runs, and what both come to.
google() {
	printf '{"context": {"num_cpus": 8}, "benchmarks": [' >$1/google.json
	for i in 0 1; do
		printf '{"name": "BM_a", "run_type": "iteration", "repetitions": 2, "repetition_index": %s, "real_time": %s, "time_unit": "ns", "items": 3},' $i $(($2 + i)) >>$1/google.json
	done
	printf '{"name": "BM_a_stddev", "run_type": "aggregate", "aggregate_name": "stddev", "real_time": %s, "time_unit": "ns"},' $3 >>$1/google.json
	printf '{"name": "BM_a_cv", "run_type": "aggregate", "aggregate_name": "cv", "real_time": %s, "time_unit": "ns"}]}' $4 >>$1/google.json
}
google old 100 10 0.1
google new 110 5 0.05
pytest() {
	printf '{"machine_info": {"cpu": {"count": 8}}, "benchmarks": [{"name": "t", "fullname": "t.py::t", "stats": {"mean": 2, "data": [1, 3], "outliers": "1;2"}, "extra_info": {"accuracy": %s, "deep": {"n": [1, %s]}}}]}' $2 $3 >$1/pytest.json
}
pytest old 0.5 2
pytest new 0.1 3
echo '{"results": {"gsm8k": {"acc,none": 0.5, "acc_stderr,none": 0.01}}, "n-shot": {"gsm8k": 5}}' >old/lm_eval.json
echo '{"results": {"gsm8k": {"acc,none": 0.5, "acc_stderr,none": 0.02}}, "n-shot": {"gsm8k": 5}}' >new/lm_eval.json
echo '[{"benchmark": {"name": "b"}, "metric": {"name": "qps", "benchmark_values": [5], "target_value": 6}, "shard": 1}]' >old/hud.json
echo '[{"benchmark": {"name": "b"}, "metric": {"name": "qps", "benchmark_values": ["5"], "target_value": 7}, "shard": 1}]' >new/hud.json
sed -i 's/"num_cpus": 8/"num_cpus": 16/' new/google.json
sed -i 's/"data": \[1, 3\]/"data": [1, 4]/' new/pytest.json
sed -i 's/"gsm8k": 5/"gsm8k": 6/' new/lm_eval.json
sed -i 's/"shard": 1/"shard": 2/' new/hud.json
for file in google pytest lm_eval hud; do
	echo "== $file"
	regild compare -q --csv - old/$file.json new/$file.json --columns metric,n_steps,avg_rel_diff || echo "exit code $?"
	regild compare old/$file.json new/$file.json --fail-above 1e-3 >shown 2>&1 || echo "exit code $?"
	grep 'partly read' shown
done
echo '== a smaller spread makes no run faster'
regild compare -q old/google.json new/google.json --fail-on slower=5% >/dev/null || echo "exit code $?"
echo '== without their number, repetitions are records by their index'
sed -i 's/"repetitions": 2, //g' old/google.json new/google.json
regild compare -q --csv - old/google.json new/google.json --columns metric,n_steps,avg_rel_diff
