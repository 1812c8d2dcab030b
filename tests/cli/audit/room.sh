# SPDX-License-Identifier: Apache-2.0
# More runs than there is memory for: the newest are audited, and the report is theirs.
hub_runs fixture 1 2 3 4 5 6 7 8
start_hub "$PWD/fixture"
audit="regild audit --repo NVIDIA/Megatron-LM --csv -"
$audit -q --runs 1,2,3,4,5,6,7,8 >all.csv
stop_hub
export GITHUB_API_URL=http://127.0.0.1:1
# Of an audit of nothing, and some bytes more.
new_repository
git config regild.auditMemory 33562000
$audit --runs 1,2,3,4,5,6,7,8 >newest.csv || echo "exit code $?"
git config --unset regild.auditMemory
$audit -q --runs 5,6,7,8 | diff - newest.csv && echo "as an audit of the newest alone"
echo "== one run is always taken"
git config regild.auditMemory 33554500
try $audit -q --runs 1,2,3,4,5,6,7,8 | cut -d, -f 1-4
git config regild.auditMemory much
try $audit --runs 1,2
git config --unset regild.auditMemory
$audit -q --runs 1,2,3,4,5,6,7,8 | cmp - all.csv && echo "by default there is room for all of them"
