# SPDX-License-Identifier: Apache-2.0
# Folders are runs of their goldens, files are versions of one; what is odd about a run is said.
for i in 1 2 3 4 5; do
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" 10.$i 9.0 -- "num-zeros" 7 8
	golden runs/$i/gpt/b/golden_values_dev.json "lm loss" 5.0 4.0
done
golden runs/2/gpt/a/golden_values_dev.json "lm loss" 10.2 -- "num-zeros" 7 8
golden runs/3/gpt/a/golden_values_dev.json "lm loss" 10.3 9.0
golden runs/4/gpt/a/golden_values_dev.json "lm loss" 10.4 9.0 -- "num-zeros" '"nan"' 8
rm runs/5/gpt/b/golden_values_dev.json
regild audit --from runs/*
echo "== files"
regild audit --csv - --from runs/*/gpt/a/golden_values_dev.json
echo "== unreadable"
echo '{"lm' >runs/1/gpt/a/golden_values_dev.json
try regild audit --top 1 --from runs/*
echo "== markdown"
try regild audit -q --markdown - --from runs/*
echo '{{runs}} runs, {{#unreadable.count}}{{unreadable.count}} unreadable{{/unreadable.count}}' >mine.md
try regild audit -q --markdown - --template mine.md --from runs/*
echo '{{#runs}}' >wrong.md
try regild audit -q --markdown - --template wrong.md --from runs/*
echo "== export"
try regild audit --export - --from runs/2 runs/3
echo "== wrong calls"
try regild audit --from nowhere
try regild audit --from runs/2 runs/3 ./runs/2/
mkdir empty
try regild audit --from empty
try regild audit --from runs/1 --confidence-multiplier 0
try regild audit --from runs/1 --by tree
try regild audit --from runs/1 --write-policy
try regild audit --from runs/1 --dry-run
echo "== links and pipes are no goldens, whatever another run has"
golden plain/1/golden_values_dev.json "lm loss" 1.0
mkdir -p plain/2 plain/3
ln -s ../1/golden_values_dev.json plain/2/golden_values_dev.json
mkfifo plain/3/golden_values_dev.json
try regild audit -q --csv - --from plain/1 plain/2 plain/3 | cut -d , -f 2-4
echo "== by regild.files"
golden plain/1/curves.json grad 1
git config --global regild.files 'curves*'
regild audit -q --csv - --from plain/1 | cut -d , -f 2-4
git config --global --unset regild.files
echo "== --from again"
golden plain/4/golden_values_dev.json "lm loss" 2.0
try regild audit -q --export - --from plain/4 --from plain/1
try regild audit -q --from plain/1 --from plain/4 plain/2
# exit: 0
