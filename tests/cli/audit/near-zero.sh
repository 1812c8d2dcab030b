# SPDX-License-Identifier: Apache-2.0
# The bound of near-zero holds for the median of the runs, and for the verdict by their noise model.
new_repository
for i in 1 2 3 4 5 6 7 8; do golden runs/$i/gpt/a/golden_values_dev.json tiny ${i}e-14 9e-14; done
golden old.json tiny 3e-14 9e-14
golden new.json tiny 90e-14 9e-14
look() {
	regild audit -q --csv - --model noise.db --from runs/* | cut -d, -f3-14
	mkdir -p old/gpt/a new/gpt/a
	cp old.json old/gpt/a/golden_values_dev.json
	cp new.json new/gpt/a/golden_values_dev.json
	try regild -q compare old new --noise noise.db --csv - --columns metric,n_steps,avg_rel_diff,verdict
}
look
git config -f .regild metric.tiny.near-zero 1e-20
look
