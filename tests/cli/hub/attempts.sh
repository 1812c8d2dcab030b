# SPDX-License-Identifier: Apache-2.0
# A run whose failed jobs were run again: of several artifacts of a job the newest counts ("-retry"
# included), and --attempt looks at an earlier try as it was.
start_hub "$REGILD_TOP/fixtures/attempts"
hub_repository
echo "latest, all:"
try regild download -v --run 2001 --all -o latest
staged latest
echo "latest, failing only:"
try regild download --run 2001 --only-failing -o failing
staged failing
echo "the first attempt:"
try regild download -v --run 2001 --attempt 1 --only-failing -o first
staged first
echo "one that there was not:"
try regild download --run 2001 --attempt 3 --all -o third
