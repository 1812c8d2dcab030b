# SPDX-License-Identifier: Apache-2.0
# Files that are damaged, or made to harm, are refused, and nothing of them is kept.
command -v zstd >/dev/null || skip "needs zstd"
hub_runs fixture 1
start_hub "$PWD/fixture"
XDG_DATA_HOME=$PWD/one regild audit -q --repo NVIDIA/Megatron-LM --runs 1 --csv /dev/null
stop_hub
XDG_DATA_HOME=$PWD/one regild history export -q out
zstd -qdc out/2026-03-01.jsonl.zst >good.jsonl
refused() {
	sed "$1" good.jsonl >bad.jsonl
	try regild history import bad.jsonl
}
refused 's/"path": "[^"]*/&\/..\/..\/x/'
refused 's/"id": 1/"id": -1/'
refused 's/"id": 1/"id": 0/'
refused 's/"attempt": 1/"attempt": 99999999999/'
refused 's/"complete": true/"complete": 1/'
refused 's/"kind": "series"/"kind": "tensor"/'
refused 's/"sha256": "../&x/'
refused 's/"steps": \[1\]/"steps": [1, 2]/'
refused 's/"steps": \[1\]/"steps": [1.5]/'
refused 's/"steps": \[1\]/"steps": 1/'
refused 's/"values": \[1.5\]/"values": ["x"]/'
refused 's/"records": null/"records": [1]/'
refused 's/"records": null/"records": ["a", "a"]/'
refused 's/"records": null/"records": ["a"]/'
refused 's/"metric": "lm loss", //'
refused 'p'
refused 's/.$//'
refused 's/^/[/'
printf '%s' "$(cat good.jsonl)" >cut.jsonl
try regild history import cut.jsonl
head -c 100 out/2026-03-01.jsonl.zst >cut.jsonl.zst
try regild history import cut.jsonl.zst
echo 'a,b' >bad.csv
try regild history import bad.csv
echo '{}' >bad.jsonl
try regild history list
echo "== what is good beside it is not merged either"
try regild history import out bad.jsonl
try regild history list
