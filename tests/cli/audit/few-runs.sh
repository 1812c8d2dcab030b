# SPDX-License-Identifier: Apache-2.0
# Three runs rank no run among them, but three runs of many goldens say how far out rows of a metric are.
new_repository
run() { # FOLDER SEED: 12 goldens of two steps
	for golden in {1..12}; do
		golden $1/gpt/$golden/golden_values_dev.json "lm loss" 10.$(((golden * 7 + $2 * 5) % 13 + 50)) 9.0
	done
}
for i in 1 2 3; do run runs/$i $((i * i)); done
run $ROOT 4
commit
regild audit -q --model noise.db --from runs/*
run $ROOT 6
golden $ROOT/gpt/5/golden_values_dev.json "lm loss" 11.5 9.0
regild compare -q --noise noise.db --csv - --columns file,verdict_p,verdict_text | sed "s|$ROOT/||" | sort -V
regild compare -q --noise noise.db | grep -A 2 "^NOISE"
echo "== one golden alone says less"
regild audit -q --only "*/5/*" --model noise.db --from runs/*
regild compare -q --noise noise.db --csv - --columns verdict_p,verdict_text | grep outside
