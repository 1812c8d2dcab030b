# SPDX-License-Identifier: Apache-2.0
# --open shows the refresh's page, once there is one; of a dry run there is none.
hub_runs fixture 1
start_hub fixture
hub_repository
export BROWSER='echo a browser shows'
regild refresh -q --run 1 --all --dry-run --open --html page.html
[ ! -e page.html ]
regild refresh -q --run 1 --all --open --html page.html
grep -c '^<h1>Golden values' page.html
