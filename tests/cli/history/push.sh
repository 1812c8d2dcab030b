# SPDX-License-Identifier: Apache-2.0
# The local history and the one that an organisation shares. Here that is a file, too.
hub_runs fixture 1 2 3
start_hub "$PWD/fixture"
audit() {
	regild audit -q --repo NVIDIA/Megatron-LM --runs "$1" --csv /dev/null
}
XDG_DATA_HOME=$PWD/one audit 1,2
XDG_DATA_HOME=$PWD/two audit 2,3
stop_hub
try_merge regild history push
export REGILD_HISTORY=$PWD/shared.db
XDG_DATA_HOME=$PWD/one try_merge regild history push
XDG_DATA_HOME=$PWD/one try_merge regild history push
XDG_DATA_HOME=$PWD/two try_merge regild history push
XDG_DATA_HOME=$PWD/one try_merge regild history pull
unset REGILD_HISTORY
XDG_DATA_HOME=$PWD/one regild history
echo "== git's configuration says where, .regild does not"
new_repository
git config regild.history "$PWD/shared.db"
regild history list
git config --unset regild.history
printf '[regild]\n\thistory = shared.db\n' >.regild
try regild history list
try_merge regild history pull
