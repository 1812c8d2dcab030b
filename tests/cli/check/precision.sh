# SPDX-License-Identifier: Apache-2.0
# A changed golden of a test that compares to the last bit says that its values are of full precision; that of
# another test, one that did not change, and one without a test's settings beside it need not.
new_repository
for test in deterministic loose bare old full; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10.5 -- iteration-time 2
	echo 'ENV_VARS: {}' >$ROOT/gpt/$test/model_config.yaml
done
echo 'ENV_VARS: {NON_DETERMINSTIC_RESULTS: 1}' >$ROOT/gpt/loose/model_config.yaml
rm $ROOT/gpt/bare/model_config.yaml
commit
try regild check --changed
for test in deterministic loose bare full; do
	golden $ROOT/gpt/$test/golden_values_dev.json 'lm loss' 10.6 -- iteration-time 2
done
sed -i 's/"step_interval": 1/&, "value_precision": "full"/g' $ROOT/gpt/full/golden_values_dev.json
try regild check --changed
sed -i 's/"step_interval": 1/&, "value_precision": "rounded_5_decimal_places"/' \
	$ROOT/gpt/deterministic/golden_values_dev.json
try regild check --changed
try regild check
echo 'x: [' >$ROOT/gpt/deterministic/model_config.yaml
try regild check --changed
