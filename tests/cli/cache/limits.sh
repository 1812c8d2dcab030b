# A limit that was lowered holds for what the cache has, too.
start_hub "$REGILD_TOP/fixtures/demo"
hub_repository
try regild download --run 22651183945 --only-failing -q
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
