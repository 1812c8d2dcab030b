# SPDX-License-Identifier: Apache-2.0
# Runs that lost a step, or write more of them, are measured with the others at the steps that all have; one that
# ended early would cost the others most of theirs, and is left out.
new_repository
steps() { # FOLDER STEPS: a value each, a little off in each run
	local values= step
	for step in $2; do values+="${values:+, }\"$step\": $step.$1"; done
	mkdir -p runs/$1/gpt/a
	printf '{"time": {"start_step": 1, "end_step": 6, "step_interval": 1, "values": {%s}}}\n' "$values" \
		>runs/$1/gpt/a/golden_values_dev.json
}
for run in 11 12 13 14 15; do steps $run "1 2 3 4 5 6"; done
for run in 16 17 18 19; do steps $run "1 2 4 5 6"; done
steps 20 "1 2 3 4 5 6 7 8"
steps 21 "1"
regild audit -q --from runs/* --model noise.db --csv - | cut -d , -f 3-9
regild compare -q --old runs/13 --new runs/20 --noise noise.db --csv - --columns verdict_text
