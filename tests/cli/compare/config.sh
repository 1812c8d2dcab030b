# SPDX-License-Identifier: Apache-2.0
# What .regild and git's configuration say.
new_repository
git config regild.files '*.json'
golden goldens/a/t/x.json "my loss" 1 -- mem-x 1
golden $ROOT/s/t/golden.json m 1
printf '[regild]\n\troot = goldens/ # ours\n\tmaxfile = 4k\n[jobs]\n\ttarget = {test}/{stage}/{file}\n\tnam = x\n[metric "my *"]\n\tflag = 1e-2\n\tnoise = 1e-3\n' >.regild
commit
golden goldens/a/t/x.json "my loss" 1.0005 -- mem-x 1.00005
golden $ROOT/s/t/golden.json m 2
regild compare --columns file,stage,test,level
git config regild.root $ROOT
git config 'regild.metric.m.fail' 0.5
try regild compare -q --columns file,metric,level
git config --unset regild.root
head -c 5000 /dev/zero | tr '\0' ' ' >>goldens/a/t/x.json
try regild compare
# What is set for all metrics comes after what is built in for some.
git checkout -q .
rm .regild
printf '{"lm loss": [1], "mem-x": [100], "text": "a"}' >$ROOT/s/t/golden.json
commit
printf '{"lm loss": [1.5], "mem-x": [101], "text": "b"}' >$ROOT/s/t/golden.json
printf '[metric "*"]\n\tkind = absolute\n\tflag = 2\n[metirc "*"]\n\tfail = 0.1\n' >.regild
try regild compare --columns metric,score,level
printf '[metric "*"]\n\tkind = exact\n' >.regild
try regild compare -q --csv /dev/null
# Tolerances that nothing looks at.
printf '[metric "m"]\n\trtol = 0.1\n' >.regild
try regild compare --csv /dev/null
# Whose value is wrong.
printf '[regild]\n\tmaxfile = 12Q\n[metric "m"]\n\tflag = many\n' >.regild
try regild compare
printf '[metric "m"]\n\tflag = many\n' >.regild
try regild compare
git config regild.metric.m.flag 1
regild compare -q --csv /dev/null
git config regild.maxfile -1
try regild compare
