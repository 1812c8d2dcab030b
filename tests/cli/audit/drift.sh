# SPDX-License-Identifier: Apache-2.0
# Runs that drift are no noise to rank a new run among: the audit names them, and a verdict gives no bound.
new_repository
for run in {10..21}; do
	golden runs/$run/gpt/a/golden_values_dev.json "lm loss" 10.$((run * 7 % 12 + 10)) -- grad 5.$((run + run % 2))
done
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.15 -- grad 5.15
commit
regild audit --from runs/* --model noise.db --json audit.json | sed '/^METRICS/,/^$/d'
# The last digit is the C library's.
checked_json <audit.json | sed -n '/"dependence"/s/\(\.[0-9]\{12\}\)[0-9]*/\1/gp'
sqlite3 noise.db 'SELECT count(*) FROM series WHERE drifts'
judge() {
	golden $ROOT/gpt/a/golden_values_dev.json "lm loss" "$1" -- grad "$2"
	regild compare -q --noise noise.db --csv - --columns metric,verdict,verdict_p,verdict_text
}
judge 10.16 5.16
judge 10.9 5.23
judge 10.9 9
regild compare --noise noise.db | grep 'measured noise' || true
