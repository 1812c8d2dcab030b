# SPDX-License-Identifier: Apache-2.0
# The same figure in another unit is not the same: whoever bounds figures is told.
mkdir old new
write() {
	printf '{"context": {}, "benchmarks": [{"name": "a", "real_time": 5, "cpu_time": 5, "time_unit": "%s"}]}' $2 >$1/google.json
	printf 'name,time,unit\na,5,%s\n' $2 >$1/table.csv
	printf '{"run": {"latency": 5, "latency_unit": "%s"}}' $2 >$1/tree.json
	printf 'took: 5 %s\n' $2 >$1/log.out
}
write old ns
write new ms
{
	for file in google.json table.csv tree.json log.out; do
		echo "== $file"
		regild compare -q --csv - old/$file new/$file --columns metric,n_steps,changes,new_excerpt --fail-above 0.1 || echo "exit code $?"
		regild compare -q --csv - old/$file old/$file --columns metric --fail-above 0.1 || echo "exit code $?"
	done
	regild compare -q old/google.json new/google.json --fail-above real_time=0.1 || echo "exit code $?"
	regild compare -q --csv /dev/null old/google.json new/google.json >/dev/null && echo 'without a gate'
} >shown 2>&1
cat shown
