# SPDX-License-Identifier: Apache-2.0
# What a name may mean is proposed in .regild, where a person decides: nothing of it is in force.
new_repository
mkdir golden
printf 'name,pack_time,energy,peak_memory,items_per_second\na,1,2,3,4\n' >golden/runs.csv
echo '{"lifetime": {"1": 2}, "a\"]time": {"1": 3}, "loss": {"1": 4}}' >golden/physics.json
commit
regild init
sed -n '/^# Guesses/,$p' .regild
echo '{"lifetime": {"1": 2.06}, "a\"]time": {"1": 3}, "loss": {"1": 4}}' >golden/physics.json
regild compare
sed -i '/lifetime/,/flag/s/^; *//' .regild
regild compare
echo '# nothing to propose'
git checkout -q golden
git rm -q golden/runs.csv
echo '{"energy": {"1": 2}}' >golden/physics.json
regild init --force
grep -c Guesses .regild
# exit: 1
