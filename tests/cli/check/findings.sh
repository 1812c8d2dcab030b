# SPDX-License-Identifier: Apache-2.0
# Each kind of finding, with its place; files that are not goldens are ignored.
new_repository
git config regild.files '*.json'
golden $ROOT/gpt/fine/golden_values_dev.json 'lm loss' 10 9 8
golden $ROOT/gpt/nan/golden_values_dev.json 'lm loss' 10 NaN '"inf"' -- 'iteration-time' '"nan"' 1
mkdir -p $ROOT/gpt/bad $ROOT/gpt/empty $ROOT/gpt/text
printf '{"m": {"start_step": 1, "end_step": 6, "step_interval": 1, "values": {"1": 1, "1": 2, "3": null, "9": 1}}}' \
	>$ROOT/gpt/bad/golden_values_dev.json
mkdir $ROOT/gpt/steps $ROOT/gpt/keys
printf '{"odd": {"start_step": 1, "end_step": 9, "step_interval": 3, "values": {"1": 1, "2": 1, "4": 1, "5": 1, "7": 1}},
	 "end first": {"start_step": 5, "end_step": 3, "step_interval": 1, "values": {"5": 1}},
	 "no step": {"values": {"1": 1, "x": 2}}, "no steps": {"values": {"1": 1, "x": 2, "y": 3}}, "b": 1, "b": 2, "c": 1, "c": 2}' \
	>$ROOT/gpt/steps/golden_values_dev.json
printf '{"a": {"end_step": 1, "end_step": 2, "values": {"1": 1}}}' >$ROOT/gpt/keys/golden_values_dev.json
printf '{"a": {"end_step": 1, "end_step": 2, "values": {"1": 1}, "values": {"1": 1}}}' \
	>$ROOT/gpt/keys/golden_values_lts.json
: >$ROOT/gpt/empty/golden_values_dev.json
printf '{"a" : [1, NaN], "b"\n:\t[Infinity], "c": "NaN"}' >$ROOT/gpt/bad/blanks.json
echo '"FileNotFoundError"' >$ROOT/gpt/text/golden_values_dev.json
printf '{"a\033[2Jb": [Infinity]}' >$ROOT/gpt/text/names.json
echo 'not a golden' >$ROOT/gpt/text/model_config.yaml
commit
golden $ROOT/gpt/untracked/golden_values_dev.json 'lm loss' -Infinity
mkfifo pipe.json
try timeout 300 regild check pipe.json
regild check
# exit: 4
