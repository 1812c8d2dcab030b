# SPDX-License-Identifier: Apache-2.0
# What one run has used up of the rate limit is known to the next: it is not asked in vain.
hub_runs fixture 1 2
# The run, its jobs, its artifacts, and the address of one.
start_hub "$PWD/fixture" --rate-limit 4
try regild audit --repo NVIDIA/Megatron-LM --runs 1,2 2>err
sed 's/another [0-9]* min [0-9]* s/another N min/' err
grep '^api' "$HUB_LOG" | cut -d ' ' -f 2-4 | sort
echo "== how long it may wait is for the user to say, for the list of runs too"
stop_hub
start_hub "$PWD/fixture" --fault api:secondary,seconds=60,match=/jobs,first=1 \
	--fault api:secondary,seconds=6,match=/jobs,first=2,every=2 \
	--fault api:secondary,seconds=60,match=/workflows
audit="regild audit --repo NVIDIA/Megatron-LM"
try $audit --runs 1,2 --max-wait 5 2>&1 | sed 's/another [56][0-9] s/another N s/'
try $audit --max-wait=0 --workflow n.yml 2>&1 | sed 's/another [56][0-9] s/another N s/'
try $audit --from fixture --max-wait 5
try $audit --history HEAD --max-wait 5
echo "== a wait in the middle of a run is told"
try $audit --runs 1,2 --max-wait 60 --csv - 2>err | cut -d , -f 1-4
sed 's/waiting [67] s/waiting N s/' err
# exit: 0
