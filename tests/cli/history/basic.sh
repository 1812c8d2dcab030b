# SPDX-License-Identifier: Apache-2.0
# What the history has, run by run and step by step, without the network.
try regild history
hub_runs fixture 1 2
start_hub "$PWD/fixture"
regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --csv /dev/null
stop_hub
regild history
try regild history list --repo octo/other
try regild history list --repo NVIDIA/Megatron-LM
regild history list --json - | checked_json
echo "== single steps"
try regild history show 2
try regild history show 2 golden_values_dev.json
regild history show 2 --json - | checked_json
echo "== wrong calls"
try regild history show 3
try regild history show 2 dev.json
try regild history show 2 dev.json --json -
try regild history show 2 --repo octo/other
try regild history show
try regild history show x
try regild history list 2
try regild history list --keep 400d
try regild history bogus
try regild history lst
try regild history 2
try regild history -q --repo octo/other
try sh -c 'regild history >/dev/full'
try env -u HOME regild history
