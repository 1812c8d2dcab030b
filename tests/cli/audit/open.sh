# SPDX-License-Identifier: Apache-2.0
# --open shows the audit's page, once there is one; of a dry run there is none.
hub_runs fixture 1 2 3
start_hub fixture
hub_repository
export BROWSER='echo a browser shows'
regild audit -q --runs 1,2,3 --open --html page.html >/dev/null
grep -c '^<h1>Audit' page.html
regild audit -q --runs 1,2,3 --dry-run --open >/dev/null
find "$HOME/.cache/regild/tmp" -mindepth 1
try regild audit -q --runs 1,2,3 --open --html -
