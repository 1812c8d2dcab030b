# SPDX-License-Identifier: Apache-2.0
# Words are about numbers: what was negative and is nearer to zero is larger, and what went over zero is larger, too.
folder() {
	mkdir "$1"
	printf '{"logprob": {"start_step": 1, "end_step": 2, "step_interval": 1, "values": {"1": %s, "2": %s}},
		"count": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": %s}},
		"lm loss": {"start_step": 1, "end_step": 1, "step_interval": 1, "values": {"1": %s}}}' "$2" "$3" "$4" "$5" >"$1/golden.json"
}
folder old -10 -10 -1 2
folder new -5 -5 2116 1
regild compare --old old --new new
regild compare --old new --new old -q --csv - --columns metric,avg_rel_diff,change
