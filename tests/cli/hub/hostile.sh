# SPDX-License-Identifier: Apache-2.0
# What is inside an artifact is bad in every way that there is: each is named, the good ones arrive,
# and nothing is written outside.
start_hub "$REGILD_TOP/fixtures/hostile"
hub_repository
try regild download -v --run 2005 --all -j 1 -o all
staged all
find .. -name 'golden_values_x.json'
