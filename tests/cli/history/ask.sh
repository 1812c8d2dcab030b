# SPDX-License-Identifier: Apache-2.0
# What people ask of a history: each question, in each of its forms, and wrong ones.
regild history ask
try regild history ask curve file=% 'metric=lm loss'
hub_runs fixture 1 2
start_hub "$PWD/fixture"
regild audit -q --repo NVIDIA/Megatron-LM --runs 1,2 --csv /dev/null
stop_hub
echo "== questions"
try regild history ask curve file=% 'metric=lm loss'
try regild history ask drift metric=%
try regild history ask drift metric=LM%
try regild history ask drift metric=% since=2027
commit=$(regild history list --json - | grep -o '"commit": "[^"]*"' | tail -n 1 | cut -d'"' -f4)
regild history ask commit commit="${commit:0:8}"
try regild history ask flaky
try regild history ask last-audit
try regild history ask last-audit file=%/a/% 'metric=lm loss'
try regild history ask breaks
regild history ask curve file=% 'metric=lm loss' --csv -
regild history ask curve file=% 'metric=lm loss' --json - | checked_json
regild history ask curve file=% metric=none --csv -
echo "== quoted, whatever it is"
try regild history ask drift "metric=x' OR '1' = '1"
try regild history ask drift "metric=\\' OR 1 = 1 --"
echo "== wrong calls"
{ regild history ask --json - || true; } | checked_json | grep -e message -e call
regild help history ask | head -n 1
try regild history ask bogus
try regild history ask curve
try regild history ask curve file=%
try regild history ask drift metric=% step=3
try regild history ask drift metric
