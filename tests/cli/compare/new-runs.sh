# SPDX-License-Identifier: Apache-2.0
# Several new runs beside one baseline are tested together, on the runs' means.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json "lm loss" 10.20 9.0 -- "mem-x" 100 100
golden $ROOT/gpt/b/golden_values_dev.json "lm loss" 5 5
commit
golden other/baseline/gpt/a/golden_values_dev.json "lm loss" 10.20 9.0 -- "mem-x" 100 100
golden other/baseline/gpt/b/golden_values_dev.json "lm loss" 5 5
for i in {10..19}; do
	golden runs/$i/gpt/a/golden_values_dev.json "lm loss" 10.$((i * 7 % 10 + 20)) 9.0 -- "mem-x" 100 100
	golden runs/$i/gpt/b/golden_values_dev.json "lm loss" 5.0$((i * 7 % 10)) 5
done
for i in 1 2 3; do
	golden other/$i/gpt/a/golden_values_dev.json "lm loss" 10.4$i 9.0 -- "mem-x" 100 100
	golden other/$i/gpt/b/golden_values_dev.json "lm loss" 5.05$i 5
done
cp -r $ROOT/gpt kept
regild audit -q --model noise.db --from runs/*
news='--new other/1 --new other/2 --new other/3'

echo '# against the baseline alone'
regild compare -q --old other/baseline $news
echo '# against measured runs'
regild compare -q --noise noise.db --old other/baseline $news
echo '# against measured runs that drift'
cp noise.db drift.db
sqlite3 drift.db "UPDATE series SET drifts = 1 WHERE metric = 'lm loss'"
regild compare -q --noise drift.db --old other/baseline $news --filter 'metric=lm loss' --markdown - | grep -e 'new runs:' -e '^- .*gpt/a'
echo '# too few of them'
regild compare -q --noise noise.db --noise-level 0.01 --old other/baseline --new other/1 --new other/2 | tail -n 4
echo '# markdown'
regild compare -q --noise noise.db --old other/baseline $news --markdown - | grep -A 6 'new runs'
echo '# JSON'
regild compare -q --noise noise.db --old other/baseline $news --json - | checked_json >all.json
sed -n '/"new_runs": {/,/^ },/p' all.json
regild report all.json --markdown - | grep -c 'new runs'
echo '# against HEAD and a revision: a golden that a run does not change is the baseline, too'
mkdir same && cp -r kept same/gpt
regild compare -q --new other/1 --new same --new other/3 --filter 'metric=lm loss'
regild compare -q HEAD --new path:other/1 --new same | tail -n 2
echo '# other steps, and values that are not finite'
golden other/2/gpt/a/golden_values_dev.json "lm loss" 10.4 -- "mem-x" 100 NaN
regild compare -q --noise noise.db --old other/baseline $news --json - | checked_json | sed -n '/"new_runs": {/,/^ },/p' | grep 'means'
echo '# a further run that cannot be read'
echo '{' >other/3/gpt/b/golden_values_dev.json
try regild compare -q --old other/baseline $news | tail -n 2
echo '# single files'
golden base.json "lm loss" 10 9
for i in 1 2 3; do
	golden $i.json "lm loss" 10.$i 9.$i
done
regild compare -q --old base.json --new 1.json --new 2.json --new 3.json
echo '# what contradicts itself'
try regild compare --old other/baseline
try regild compare --new other/1 --to HEAD
try regild compare --old other/1 --new other/2 --base HEAD
try regild compare HEAD HEAD --new other/2
try regild compare HEAD..HEAD --new other/2
try regild compare --old other/1 --new run:x --new other/2
try regild compare --old other/1 --new other/2 --new other/2
try regild compare --old other/baseline --new other/1 --new other/2/gpt/a/golden_values_dev.json
try regild compare --old all.json --new other/1 --new noise.db
