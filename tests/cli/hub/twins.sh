# SPDX-License-Identifier: Apache-2.0
# Two jobs of one name: an artifact goes to the job in whose time it was made, or in whose upload;
# where neither tells, it is not taken and the exit code says so.
start_hub "$REGILD_TOP/fixtures/twins"
hub_repository
try regild download -v --run 2002 --all -o all
staged all
echo "failing only:"
try regild download --run 2002 --only-failing -o failing
staged failing
echo "ambiguous ones too:"
try regild download --run 2002 --all --take-ambiguous -o ambiguous
staged ambiguous
