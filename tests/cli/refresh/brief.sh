# SPDX-License-Identifier: Apache-2.0
# A refresh lists what it changed by short names, what was held back and is missing first; many expired
# artifacts are one line. -v has all.
mkdir run
python3 - "$REGILD_TOP/fixtures/demo" <<'END' || skip "needs python3"
import json, os, shutil, sys
run = json.load(open(sys.argv[1] + '/run.json'))
for name in os.listdir(sys.argv[1]):
    if name != 'run.json':
        os.symlink(os.path.join(sys.argv[1], name), os.path.join('run', name))
taken = [a for a in run['artifacts'] if a['name'].startswith('logs-') and not a.get('expired')]
for a in taken[:6]:
    a.update(expired=True, expires_at='2026-03-11T05:00:00Z', size=1)
json.dump(run, open('run/run.json', 'w'))
END
cp -r "$REGILD_TOP/fixtures/demo/repository" repository
start_hub "$PWD/run"
cd repository
new_repository && commit
export GITHUB_REPOSITORY=NVIDIA/Megatron-LM
dirty=$(git ls-files '*golden_values*.json' | LC_ALL=C sort | tail -n 1)
echo >>"$dirty"
try regild refresh --run 22651183945 --all 2>&1 | sed '/ updated, /q'
git checkout -q .
echo '== -v'
try regild refresh --run 22651183945 --all -v 2>&1 | grep -e ': expired' -e ' expired:' -e '^[a-z]* *gpt/' -e '^missing'
git checkout -q .
needs_terminal
export TERM=xterm
echo '== in a window of 40 columns'
script -qec "stty cols 40; regild refresh -q --color never --run 22651183945 --all" typescript </dev/null >/dev/null || true
tr -d '\r' <typescript | grep -e '^updated' -e '^new' -e '^missing' -e '^held'
