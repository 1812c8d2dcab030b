# SPDX-License-Identifier: Apache-2.0
# In Megatron-LM's layout a changed golden holds no NaN and no infinite value, as a number or a text, at any depth, and
# in a deterministic test it is of full precision; pure renames are passed over, and regild.nonfinite switches it off.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'iteration-time' '"nan"' 1 2 -- 'lm loss' 1 1 1
golden $ROOT/gpt/b/golden_values_dev.json 'iteration-time' '"nan"' 1 3
golden $ROOT/gpt/c/golden_values_dev.json 'lm loss' 1 1 1
echo 'ENV_VARS: {}' >$ROOT/gpt/a/model_config.yaml
commit
regild check
echo '# a pure rename, and a rename with a change'
git mv $ROOT/gpt/a $ROOT/gpt/renamed
try regild check --changed
sed -i 's/: 2}/: 2.5}/' $ROOT/gpt/renamed/golden_values_dev.json
try regild check --changed
git reset -q --hard
echo '# a change elsewhere, and at any depth'
golden $ROOT/gpt/b/golden_values_dev.json 'iteration-time' '"nan"' 1 4
echo '{"0": {"logprobs": [1, Infinity], "deep": {"x": {"y": ["-inf", {"z": "NaN"}]}}, "generated_text": "nan and so on"}}' \
	>$ROOT/gpt/c/golden_values_dev.json
try regild check --changed
try regild check --changed --github
printf '[metric "*"]\n\tkind = ignore\n' >.regild
try regild check --changed
rm .regild
echo '# without it: what is usual is passed over'
git config regild.nonfinite usual
try regild check --changed
echo '# steps without a value are absent'
git config --unset regild.nonfinite
git checkout -q .
printf '{"lm loss": {"start_step": 1, "end_step": 35, "step_interval": 10, "values": {"1": 1, "15": 2, "35": 3}}}' \
	>$ROOT/gpt/c/golden_values_dev.json
try regild check --changed
