# SPDX-License-Identifier: Apache-2.0
# What no row shows breaks gates, too: numbers that no metric has, and bytes that are only written otherwise.
new_repository
git config regild.root .
git config regild.files '*.json'
report() {
	printf '{"context": {"num_cpus": %s}, "benchmarks": [{"name": "a", "real_time": %s, "family_index": %s}]}\n' \
		"$1" "$2" "$3" >google.json
}
steps() {
	printf '{"loss": {"start_step": %s, "end_step": 3, "step_interval": 1, "values": {"1": 8.5, "2": 7.5, "3": %s}}}\n' \
		"$1" "$2" >series.json
}
hold() {
	for way in '--fail-on changed' '--fail-above *=1e-3' '--fail-above real_time=1e-3' \
		'--fail-above *=1e-3 --allow no-figure'; do
		local status=0
		set -f
		echo "== $way" >&2
		regild compare -q $way --allow no-match >/dev/null || status=$?
		set +f
		echo "$way: exit code $status"
	done
}
report 8 5.5 1
steps 1 7
commit
echo '# what describes the run'
report 16 5.5 1
hold
echo '# what describes the benchmark'
report 8 5.5 2
hold
echo '# the same, written otherwise'
report 8 5.50 1
hold
report 8 5.5 1
echo '# a first step that is not that of the steps'
steps 2 7
hold
echo '# a NaN that went'
steps 1 NaN
git add -A
git commit -qm nan
printf '{"loss": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": 8.5, "2": 7.5}}}\n' >series.json
hold
