# SPDX-License-Identifier: Apache-2.0
# A run that is not over is refused, or taken as far as it is.
start_hub "$REGILD_TOP/fixtures/in-progress"
hub_repository
try regild download --run 2004 --all -o refused
ls
try regild download -v --run 2004 --all --in-progress -o all
staged all
echo "failing only:"
try regild download --run 2004 --only-failing --in-progress -o failing
staged failing
