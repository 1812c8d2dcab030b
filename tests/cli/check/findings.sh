# Each kind of finding, with its place; files that are no goldens are not looked at.
new_repository
golden $ROOT/gpt/fine/golden_values_dev.json 'lm loss' 10 9 8
golden $ROOT/gpt/nan/golden_values_dev.json 'lm loss' 10 NaN '"inf"' -- 'iteration-time' '"nan"' 1
mkdir -p $ROOT/gpt/bad $ROOT/gpt/empty $ROOT/gpt/text
printf '{"m": {"start_step": 1, "end_step": 6, "step_interval": 1, "values": {"1": 1, "1": 2, "3": null, "9": 1}}}' \
	>$ROOT/gpt/bad/golden_values_dev.json
: >$ROOT/gpt/empty/golden_values_dev.json
echo '"FileNotFoundError"' >$ROOT/gpt/text/golden_values_dev.json
printf '{"a\033[2Jb": [Infinity]}' >$ROOT/gpt/text/names.json
echo 'not a golden' >$ROOT/gpt/text/model_config.yaml
commit
golden $ROOT/gpt/untracked/golden_values_dev.json 'lm loss' -Infinity
regild check
# exit: 1
