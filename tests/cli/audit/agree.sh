# SPDX-License-Identifier: Apache-2.0
# Table, CSV, JSON and markdown say the same, and null, a blank or '-' where there is nothing to say.
for i in 1 2 3 4 5 6; do
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" 10.$i 9 8 -- "num-zeros" $i 2 3 -- "grad" 5.00$i 6 7
done
golden runs/4/gpt/a/golden_values_dev.json "lm loss" 20 9 8 -- "num-zeros" 40 2 3 -- "grad" 9 6 7
golden runs/5/gpt/a/golden_values_dev.json "lm loss" 10.5 9 -- "num-zeros" 5 2 3 4 -- "grad" 5 6 7
echo "== one run recommends nothing"
regild audit --from runs/1 | sed -n '/^METRICS/,/^$/p'
regild audit -q --from runs/1 | tail -n 1
regild audit -q --csv - --from runs/1 | cut -d, -f3,26,27
regild audit -q --json - --from runs/1 | checked_json | grep '_tolerance"' | cut -d, -f1,2 | sort -u
regild audit -q --markdown - --from runs/1 | grep '| step |'
echo "== a bad run fails, and runs and steps are the same everywhere"
regild audit --json a.json --from runs/* | sed -n '/^METRICS/,$p'
regild audit -q --markdown - --from runs/* | sed -n '/METRICS/,$p'
grep -o '"metric": .*\|"files": .*\|"runs": [0-9].*\|"steps": .*\|"may_.*\|"runs_failed.*' a.json
regild audit --json - --from runs/[12] -q | checked_json | grep -o '"metric": .*\|"may_.*\|"widest.*'
golden runs/7/gpt/b/golden_values_dev.json zero 0 0
odd=runs/8/$(printf 'x\377y')
mkdir -p "$odd"
echo '{"a\u0001\u007f\n\"b\\": [1]}' >"$odd/golden_values_dev.json"
regild audit --json - --from runs/8 -q | checked_json | grep -E '"(metric|file)"'
regild audit --json - --from runs/7 -q | checked_json | grep -o '"metric": .*\|"may_.*\|"spread.*'
echo "== a run without a finite value fails"
for i in 1 2 3; do golden nan/$i/gpt/c/golden_values_dev.json "lm loss" 10 9 -- "grad" 1 2; done
golden nan/3/gpt/c/golden_values_dev.json "lm loss" '"nan"' '"nan"' -- "grad" 1 2
regild audit --from nan/* | grep 'failing golden'
echo "== a metric that is finite in no run is not measured"
for i in 1 2 3 4 5; do golden never/$i/gpt/d/golden_values_dev.json "lm loss" 10 9 -- "grad" '"nan"' '"nan"'; done
regild audit --csv e.csv --model e.db --top 0 --from never/* | grep 'grad\|all metrics\|never'
cut -d, -f3,4,8,13-15,26,27 e.csv
sqlite3 e.db 'SELECT metric FROM series'
echo "== a metric without steps is not measured"
for i in 1 2 3 4 5; do golden none/$i/gpt/d/golden_values_dev.json "lm loss" 10 9 -- "grad" -- "mem-a"; done
regild audit --markdown d.md --csv d.csv --json d.json --from none/*
sed -n '/METRICS/,$p' d.md
cut -d, -f3,4,8,13-15,26,27 d.csv
grep -o '"metric": .*\|"deter.*\|"most_.*\|"patterns.*\|"may_.*' d.json
git init -q -b main . && regild audit -q --write-policy --model n.db --from none/*
grep -v ' runs of ' .regild
sqlite3 n.db 'SELECT metric FROM series'
# exit: 0
