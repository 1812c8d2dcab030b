# SPDX-License-Identifier: Apache-2.0
# No name makes a duration, and none a level: "slower" and "faster" need a setting or a unit, and no negative value.
mkdir old new
metrics() {
	printf '{"relaxation_time": {"1": %s, "2": %s, "3": 10}, "lifetime": {"1": %s}, "timing__setup__tns": {"1": %s}}\n' "$@"
}
metrics 10 10 20 -868 >old/physics.json
metrics 10.48 10.96 20.96 -1430 >new/physics.json
echo 'step 1 time=0.5 L2 errors 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0' >old/errors.txt
echo 'step 1 time=0.5 L2 errors 1.04 2.08 3.12 4.16 5.2 6.24 7.28 8.32' >new/errors.txt
echo '# a text, a relaxation time, a lifetime and a slack'
regild compare --old old --new new
regild compare --old old/errors.txt --new new/errors.txt
try regild compare -q --old old/errors.txt --new new/errors.txt --fail-above '*=1e-3'
try regild compare -q --old old --new new --fail-on slower=5%
echo "# a unit of the format"
benchmark() {
	printf '{"context": {}, "benchmarks": [{"name": "sort", "iterations": 9, "real_time": %s, "cpu_time": 2, "time_unit": "ns"}]}\n' "$1"
}
benchmark 2 >old/benchmark.json
benchmark 3 >new/benchmark.json
try regild compare --old old/benchmark.json --new new/benchmark.json --fail-on slower=5%
echo '# what settings call a duration'
new_repository
cat >.regild <<'END'
[regild]
	root = .
	files = *.json
[metric "*time*"]
	duration = yes
[metric "timing*"]
	duration = yes
[metric "lifetime"]
	duration = no
[metric "rate"]
	duration = rate
END
metrics 10 10 20 -868 >physics.json
echo '{"rate_time": {"1": 2}, "rate": {"1": 5, "2": 5, "3": 5}}' >rate.json
commit
metrics 10.48 10.96 20.96 -1430 >physics.json
echo '{"rate_time": {"1": 3}, "rate": {"1": 4, "2": 4, "3": 9}}' >rate.json
regild compare --columns metric,avg_rel_diff,median_rel_diff
try regild compare -q --fail-on slower=4%
echo '# a side with a negative value is not a duration'
metrics 10 10 20 -868 >physics.json
commit
metrics 10.48 10.96 20.96 430 >physics.json
regild compare | tail -4
echo '# what is not a value of the key'
printf '[metric "a"]\n\tduration = often\n' >.regild
try regild compare
printf '[metric "a"]\n\tmissing = never\n' >.regild
try regild compare
