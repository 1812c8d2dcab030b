# SPDX-License-Identifier: Apache-2.0
# Each report begins with whether the run is noise or changed, and whether the golden is; a gate asks for
# nothing else. Most runs agree to the bit, and now and then one differs by 1e-5.
new_repository
losses() { # FOLDER A B C: lm loss of three goldens, at two steps
	golden $1/gpt/a/golden_values_dev.json "lm loss" $2 9.0 -- "num-zeros" 0 ${5:-0}
	golden $1/gpt/b/golden_values_dev.json "lm loss" $3 9.0
	golden $1/gpt/c/golden_values_dev.json "lm loss" $4 9.0
}
for i in {10..18}; do losses runs/$i 10.5 10.5 10.5; done
losses runs/12 10.5001 10.5 10.5
losses runs/15 10.5 10.4999 10.5
losses $ROOT 10.5 10.5 10.5
commit
regild audit -q --model noise.db --from runs/*
answer() { regild compare -q --noise noise.db "$@" | grep -A 2 -E "^NOISE"; }
gate() { try regild compare -q --noise noise.db --fail-on "$@" >/dev/null; }
echo "== a flip is noise"
losses $ROOT 10.5 10.5 10.4999
answer
gate changed-beyond-noise
echo "== a loss that doubled, or is off by 1 %, is not"
losses $ROOT 21 10.5 10.5
answer
regild compare -q --noise noise.db --columns file,verdict,verdict_stands_out
gate changed-beyond-noise
gate changed-beyond-noise=0.05
gate run
losses $ROOT 10.605 10.5 10.5
answer
echo "== nor is a counter that was zero in all runs"
losses $ROOT 10.5 10.5 10.5 5
answer
gate outside:num-zeros
echo "== the golden was the odd one"
losses $ROOT 21 10.5 10.5
git commit -qam odd
losses $ROOT 10.5 10.5 10.5
answer
gate changed-beyond-noise
losses $ROOT 42 10.5 10.5
answer
echo "== in each report it comes first"
regild compare -q --noise noise.db --markdown - | grep -m 1 -n "the run has changed"
regild compare -q --noise noise.db --html page.html >/dev/null
grep -c "the run has changed" page.html
regild compare -q --noise noise.db --json - | checked_json | grep -oE '"kind": *"run"[^}]*'
echo "== too few runs"
regild audit -q --model few.db --from runs/10 runs/11 runs/12 runs/13
regild compare -q --noise few.db | grep -A 1 "^NOISE"
try regild compare -q --noise few.db --fail-on changed-beyond-noise >/dev/null
regild audit -q --model one.db --from runs/10
regild compare -q --noise one.db --columns verdict_text
echo "== levels"
try regild compare --fail-on changed-beyond-noise=0
try regild compare --fail-on run=2
echo "== of many metrics the first are named, each once"
all() { # FOLDER VALUE
	for golden in a b; do
		golden $1/many/$golden/golden_values_dev.json m1 $2 9 -- m2 $2 9 -- m3 $2 9 -- m4 $2 9 -- m5 $2 9
	done
}
for i in 1 2 3 4 5 6 7 8 9; do all many/$i $((10 + i % 2)); done
all $ROOT 10
git add $ROOT
git commit -qam many
regild audit -q --model many.db --from many/*
all $ROOT 40
regild compare -q --noise many.db | grep -A 2 -E "^NOISE"
echo "== what was zero in all runs and no longer is, however much they differ elsewhere"
noisy() { # FOLDER VALUE ZERO COUNTER
	golden $1/noisy/golden_values_dev.json "lm loss" $2 9 -- "mostly zero" $3 $3 $2 -- "counter" $4 $4
}
for i in 1 2 3 4 5 6 7 8 9; do noisy noisy/$i $((10 + i * i % 7)) 0 0; done
noisy $ROOT 12 0 0
git add $ROOT
git commit -qam noisy
regild audit -q --model noisy.db --from noisy/*
zeros() {
	try regild compare -q --noise noisy.db --fail-on changed-beyond-noise 2>&1 |
		grep -A 2 -E "^(NOISE|exit)"
}
noisy $ROOT 13 0 0
zeros
noisy $ROOT 13 1000 0
zeros
noisy $ROOT 13 0 5
zeros
