# SPDX-License-Identifier: Apache-2.0
# The local history and the one that an organisation shares. Here that is a file, too.
command -v sqlite3 >/dev/null || skip "needs sqlite3"
hub_runs fixture 1 2 3
start_hub "$PWD/fixture"
audit() {
	regild audit -q --repo NVIDIA/Megatron-LM --runs "$1" --csv /dev/null
}
XDG_DATA_HOME=$PWD/one audit 1,2
XDG_DATA_HOME=$PWD/two audit 2,3
made_at one/regild/history.db 2026-03-01T00:00:01Z
made_at two/regild/history.db 2026-03-01T00:00:02Z
stop_hub
try regild history push
export REGILD_HISTORY=$PWD/shared.db
XDG_DATA_HOME=$PWD/one try regild history push
XDG_DATA_HOME=$PWD/one try regild history push
XDG_DATA_HOME=$PWD/two try regild history push
XDG_DATA_HOME=$PWD/one try regild history pull
unset REGILD_HISTORY
XDG_DATA_HOME=$PWD/one regild history
echo "== git's configuration says where, .regild does not"
new_repository
git config regild.history "$PWD/shared.db"
regild history list
git config --unset regild.history
printf '[regild]\n\thistory = shared.db\n' >.regild
try regild history list
try regild history pull
