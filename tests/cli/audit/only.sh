# SPDX-License-Identifier: Apache-2.0
# Is this golden noisy? The others are not read, and a pattern that matches none is a mistake.
for i in {10..20}; do
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" 10.$((i * 7 % 11 + 10)) 9.0
	golden runs/$i/gpt/b/golden_values_dev.json "lm loss" 10.5 9.0
	mkdir -p runs/$i/t5/a && echo "{broken" >runs/$i/t5/a/golden_values_dev.json
done
regild audit -q --only 'gpt/a/*' --from runs/* --top 1 | sed -n '1p;/model/p'
regild audit -q --only '*/b/*' --only 'gpt/a/*' --from runs/* --export - | tail -n +2 | cut -d, -f2 | sort | uniq -c
try regild audit -q --only 'gpt/c' --from runs/*
