# SPDX-License-Identifier: Apache-2.0
# Where runs differ is told apart: variants of a test, commits, and re-runs of one commit, where there are any.
# Three runs of each of four commits, a test on two variants, and another test with the same metric.
run=10
for level in 1 4 2 3; do
	for again in 1 2 3; do
		run=$((run + 1)) noise=$((run * 7 % 5))
		golden runs/$run/files/gpt/a/golden_values_dev_h100.json "lm loss" 10.$((100 + 5 * level + noise)) -- \
			zeros 1 -- grad 2.$((10 + run * 5 % 7))
		golden runs/$run/files/gpt/a/golden_values_dev_a100.json "lm loss" 10.$((130 + 5 * level + noise))
		golden runs/$run/files/gpt/b/golden_values_dev_h100.json "lm loss" 5.$((100 + 3 * level + noise))
		staging_manifest runs/$run $run
		sed -i "s|\"run\": {|\"run\": {\"head_commit\": \"$level$level$level\", |" runs/$run/manifest.json
	done
done
audit() {
	regild audit -q --json - --from "$@" | checked_json
}
sources() {
	sed -n '/"metrics": \[/,/"goldens": \[/p' | grep -oE '"(metric|sources|smallest_break)": ("[^"]*"|\{[^}]*\}|[^,]*)'
}
regild audit --from runs/* | sed '/^$/q'
regild audit --from runs/* | grep -A 4 '^METRICS'
regild audit -q --markdown - --from runs/* | grep -A 4 '^| METRICS'
audit runs/* | sources
echo "# of one golden, commits and re-runs"
audit runs/* | sed -n '/"series": \[/,$p' | grep -E '"metric"|"sources"'
echo "# one run a commit: only variants are told apart"
audit runs/1[147] runs/20 | sources
regild audit --from runs/1[147] runs/20 | grep -A 3 '^METRICS'
echo "# one commit: the same"
audit runs/1[123] | sources
echo "# by commit, and where nothing is known of commits"
regild audit -q --by commit --json - --from runs/* | grep -c '"commits": [0-9]' || true
rm runs/*/manifest.json
audit runs/*/files | sources
