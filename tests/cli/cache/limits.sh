# SPDX-License-Identifier: Apache-2.0
# What the cache has, and that a limit that was lowered holds for it, too.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
try regild download --run 22651183945 --only-failing -q
regild cache | sed -E 's/^20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9] /TIME/' | sort
regild cache list -q
git config regild.maxFile 8000
try regild download --run 22651183945 --only-failing -q
git config --unset regild.maxFile
git config regild.maxTotal 16000
try regild download --run 22651183945 --only-failing -q
git config --unset regild.maxTotal
try regild download --run 22651183945 --only-failing -q
# No room at all: nothing is kept.
regild cache clear
git config regild.maxCache 0
try regild download --run 22651183945 --only-failing -q
regild cache -q
git config --unset regild.maxCache
try regild download --run 22651183945 --only-failing -q
try sh -c 'regild cache clear >/dev/full'
