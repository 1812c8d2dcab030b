# SPDX-License-Identifier: Apache-2.0
# The same figure in another unit is not the same: whoever bounds figures is told.
mkdir old new
write() {
	printf '{"context": {}, "benchmarks": [{"name": "a", "real_time": 5, "cpu_time": 5, "time_unit": "%s"}]}' $2 >$1/google.json
	printf 'name,time,unit\na,5,%s\n' $2 >$1/table.csv
	printf '{"run": {"latency": 5, "latency_unit": "%s"}}' $2 >$1/tree.json
	printf 'took: 5 %s\n' $2 >$1/log.out
	printf 'name,state,took\na,%s,7 ms\nb,x,1.5e-3 %s\n' $2 $2 >$1/cells.csv
	printf '{"run": {"latency": "5%s"}}' $2 >$1/text.json
	# No unit: another figure, a hash, words.
	printf 'name,v,w,x\na,%s,5ab%sf%s,5 %s\n' "${3:-1 step}" $2 1 "of $2" >$1/no-units.csv
}
write old ns
write new ms '2 steps'
{
	for file in google.json table.csv tree.json log.out cells.csv text.json no-units.csv; do
		echo "== $file"
		regild compare -q --csv - old/$file new/$file --columns metric,n_steps,changes,new_excerpt --fail-above 0.1 || echo "exit code $?"
		regild compare -q --csv - old/$file old/$file --columns metric --fail-above 0.1 || echo "exit code $?"
	done
	regild compare -q old/google.json new/google.json --fail-above real_time=0.1 || echo "exit code $?"
	regild compare -q --csv /dev/null old/google.json new/google.json >/dev/null && echo 'without a gate'
} >shown 2>&1
cat shown
