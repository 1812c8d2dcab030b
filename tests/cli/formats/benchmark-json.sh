# SPDX-License-Identifier: Apache-2.0
# Benchmarks' JSON, step maps and lists of objects: a record has a name, or its place where nothing could be one.
new_repository
printf '[regild]\n\troot = .\n\tfiles = *.json\n[table "runs.json"]\n\tkey = model,cfg/tp\n' >.regild
echo '{"train/loss": {"1": 0.25, "2": 0.5}}' >metrics.json
echo '{"context": {"num_cpus": 8}, "benchmarks": [{"name": "BM_a", "real_time": 4, "time_unit": "ns"}, {"name": "BM_b", "real_time": 8, "time_unit": "ns"}]}' >google.json
echo '{"results": {"gsm8k": {"acc,none": 0.5, "acc_stderr,none": 0.03}, "mmlu": {"acc,none": 0.25, "acc_stderr,none": 0.01}}, "config": {"seed": 1}}' >lm_eval.json
echo '[{"model": "m", "cfg": {"tp": 2}, "loss": 1}, {"model": "m", "cfg": {"tp": 4}, "loss": 2}]' >runs.json
commit
echo '{"train/loss": {"2": 0.5, "1": 0.26}}' >metrics.json
echo '{"context": {"num_cpus": 16}, "benchmarks": [{"name": "BM_b", "real_time": 8, "time_unit": "us"}, {"name": "BM_a", "real_time": 5, "time_unit": "ns"}]}' >google.json
echo '{"results": {"mmlu": {"acc,none": 0.25, "acc_stderr,none": 0.01}, "gsm8k": {"acc,none": 0.625, "acc_stderr,none": 0.04}}, "config": {"seed": 2}}' >lm_eval.json
echo '[{"model": "m", "cfg": {"tp": 4}, "loss": 2}, {"model": "m", "cfg": {"tp": 2}, "loss": 4}]' >runs.json
regild compare --csv - --columns file,metric,n_steps,avg_rel_diff,max_abs_rel_step,standard_errors,changes
echo '# so many standard errors'
regild compare --file lm_eval.json --markdown short.md --json all.json
grep -o '"standard_errors": [^,]*' all.json
echo '# without a key'
rm .regild
try regild check runs.json
echo '# neither names nor steps: by place, which is said'
echo '[{"a": 1, "b": 2}, {"a": 3, "b": 4}]' >places.json
echo '[{"a": 9, "b": 2}, {"a": 1, "b": 2}, {"a": 3, "b": 4}]' >more.json
regild compare --old places.json --new more.json
