# SPDX-License-Identifier: Apache-2.0
# The model is what compare judges by, the policy what it gates by; full disks are noticed.
new_repository
for i in {10..33}; do
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" 10.$((i * 7 % 24 + 10)) 9.0 -- "mem-x" 100 100
done
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.20 9.0 -- "mem-x" 100 100
printf '[regild]\n\tnoise = noise.db\n' >.regild
commit
regild audit -q --model noise.db --from runs/*
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.25 9.0 -- "mem-x" 100 101
regild compare -v
regild compare -q --noise-level 0.01
regild compare -q --markdown - | sed -n '/Interpretation/,$p'
regild compare -q --csv - --columns metric,verdict,verdict_runs,verdict_text
git config regild.noise "$PWD/noise.db"
regild compare -q --columns metric,verdict
git config --unset regild.noise
echo "== policy"
regild audit -q --write-policy --from runs/*
sed 's/, 20..-..-..:/, DATE:/' .regild
regild audit --write-policy --confidence-multiplier 2 --from runs/* >/dev/null
grep -c 'regild audit' .regild
grep rtol .regild
try regild audit -q --write-policy --confidence-multiplier 0.5 --from runs/*
try regild audit -q --write-policy --from runs/10
# Lines that end as Windows has them stay so, and the block is found again.
sed -i 's/$/\r/' .regild
regild audit -q --write-policy --from runs/*
grep -c 'tolerances begin' .regild
grep -vc $'\r$' .regild || true
git config -f .regild 'metric.lm loss.rtol'
echo "== levels that init wrote are of another unit, and do not count, however often this is done"
cp .regild crlf
printf '[metric "lm loss"]\n\tnoise = 1e-4\n\tflag = 1e-3\n[metric "mem-*"]\n\tflag = 1e-4\n' >.regild
regild audit -q --write-policy --from runs/*
cp .regild once
regild audit -q --write-policy --from runs/*
cmp .regild once
sed -n '/tolerances begin/,/mem-x/{/ runs of /!p}' .regild
regild compare -q --csv - --columns metric,level,score || true
mv crlf .regild
rm once
echo "== what too few runs measure"
for i in {10..33}; do golden runs/$i/gpt/b/golden_values_dev.json "nan norm" '"nan"'; done
golden runs/20/gpt/b/golden_values_dev.json "nan norm" 1
regild audit --top 1 --write-policy --from runs/* >/dev/null
grep 'nan norm' .regild
rm -r runs/*/gpt/b .regild
echo "== -q leaves out what files hold, and no result without one"
regild audit -q --from runs/* | head -n 1
for output in csv json markdown html model export; do
	regild audit -q --$output file --from runs/10 runs/11
done
rm file
regild audit --from runs/* >/dev/full || echo "exit code $?"
echo "== errors"
for output in csv json html model export; do
	try regild audit -q --$output /dev/full --from runs/*
done
try regild audit -q --csv - --export - --from runs/*
try regild audit -q --markdown - --json - --from runs/*
try regild audit -q --model - --markdown - --from runs/*
# Before the runs are looked for.
printf 'runs\n{{#groups}}{{/group}}' >wrong.md
try regild audit -q --markdown - --template wrong.md --from nowhere
try regild audit -q --html - --html-template wrong.md --from nowhere
try regild audit -q --html-template wrong.md --from nowhere
rm wrong.md
# What was there before stays if the disk fills up.
echo before >series.csv
(
	trap '' XFSZ
	ulimit -f 1
	regild audit -q --export series.csv --from runs/*
) 2>&1 | cat
cat series.csv && ls
try regild compare --noise missing.json
echo '{}' >bad.json
try regild compare --noise bad.json
try regild compare --noise noise.db --noise-level 2
try regild compare --noise-level 0.1
echo "== .regild is written, but that is lost"
status=0
regild audit --top 1 --write-policy --from runs/* >/dev/full || status=$?
echo "exit code $status"
echo "== said before the runs are looked for"
for o in csv json markdown html model export; do
	try regild audit -q --from runs/none --$o nowhere/x
done
try regild audit -q --from runs/none --csv=
try regild audit -q --from runs/none --csv new --model ./new
try regild audit -q --from runs/none --markdown - --template nowhere/t
try regild audit -q --from runs/none --html - --html-template nowhere/t
printf '[regild]\n\troot = here\n[metric "m"]\n\tflag = 1\\\n\n# the last\n' >.regild
try regild audit -q --write-policy --from runs/none
printf '# regild audit: measured tolerances begin (made by --write-policy)\n' >.regild
try regild audit -q --write-policy --from runs/none
: >../linked
ln -sf ../linked .regild
try regild audit -q --write-policy --from runs/none
readlink .regild
# exit: 0
