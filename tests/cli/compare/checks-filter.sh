# SPDX-License-Identifier: Apache-2.0
# --filter by what the checks of the project say of rows: why they fail is in the table, in markdown, in JSON.
new_repository
steps() {
	local i
	for i in $(seq "$1"); do echo "${2:-1.5}"; done
}
golden $ROOT/gpt/same/golden_values_dev.json 'lm loss' 10.5 10.25 -- num-zeros 4 4
golden $ROOT/gpt/rounded/golden_values_dev.json 'lm loss' 10.123451 10.25 -- num-zeros 4 4
golden $ROOT/gpt/close/golden_values_dev.json 'lm loss' 10.5 10.25 10 -- num-zeros 100 100 100 -- iteration-time 1 2
golden $ROOT/gpt/far/golden_values_dev.json 'lm loss' $(steps 300) -- num-zeros 100 100 100
golden $ROOT/gpt/loose/golden_values_dev.json 'lm loss' 10.5 10.25 -- iteration-time $(steps 24 2)
golden $ROOT/gpt/full/golden_values_dev.json 'lm loss' 10.123451
sed -i 's/"step_interval": 1/&, "value_precision": "full"/' $ROOT/gpt/full/golden_values_dev.json
golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10.5 -- num-zeros 4
commit
golden $ROOT/gpt/same/golden_values_dev.json 'lm loss' 10.5 10.25 10 -- num-zeros 4 4
golden $ROOT/gpt/rounded/golden_values_dev.json 'lm loss' 10.123449 10.25 -- num-zeros 4 4
golden $ROOT/gpt/close/golden_values_dev.json 'lm loss' 10.6 10.25 9 -- num-zeros 85 115 50 -- iteration-time 9 9
golden $ROOT/gpt/far/golden_values_dev.json 'lm loss' 9 9 9 9 $(steps 296) -- num-zeros 100 79 79
golden $ROOT/gpt/loose/golden_values_dev.json 'lm loss' 10.6 10.25 -- iteration-time 99 99 99 99 $(steps 20 2.09)
golden $ROOT/gpt/full/golden_values_dev.json 'lm loss' 10.123449
golden $ROOT/gpt/lost/golden_values_dev.json 'lm loss' 10.5
printf 'ENV_VARS:\n  NON_DETERMINSTIC_RESULTS: "1"\nMETRICS:\n  - iteration-time\n  - "lm loss"\n' \
	>$ROOT/gpt/loose/model_config.yaml
echo '== approximate fails'
regild -q compare --filter checks=approximate:fails
echo '== any check fails, of one metric'
regild -q compare --filter 'checks=*:fails' --filter 'metric=lm*' --top 0
echo '== passes, or fails another'
regild -q compare --filter checks=approximate:passes --filter checks=deterministic:fails --csv - --columns test,metric,check_reason
echo '== markdown and JSON'
regild -q compare --filter checks=approximate:fails --markdown - | grep 'not within'
regild -q compare --filter checks=approximate:fails --json - | checked_json | grep -o '"check_reason": "[^"]*"'
echo '== a slip'
try regild compare --filter checks=aproximate:fails
try regild compare --filter checks=approximate
git config -f .regild check.approximate.metric ''
git config -f .regild check.deterministic.metric ''
try regild compare --filter 'checks=*:fails'
