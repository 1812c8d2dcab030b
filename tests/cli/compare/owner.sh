# SPDX-License-Identifier: Apache-2.0
# A repository of another user: libgit2 refuses it as git does, and the message says what to do.
[ "$(id -u)" = 0 ] || skip "needs root"
new_repository
git config regild.files '*.json'
golden $ROOT/s/t/golden.json m 1
commit
chown -R 12345 . 2>/dev/null || skip "needs to give files away"
try regild compare
git config --global --add safe.directory "$PWD"
regild compare
# As git has it, and containers of CI.
rm ~/.gitconfig
git config --global --add safe.directory '*'
regild compare
golden $ROOT/s/t/golden.json m 2
regild compare -q
git config --global --add safe.directory ''
try regild compare
git config --global --add safe.directory /elsewhere
try regild compare
echo '# all below a folder, and what is set in the environment'
rm ~/.gitconfig
git config --global --add safe.directory "${PWD%/*}/*"
regild compare -q --csv -
git config --global --replace-all safe.directory "${PWD%/*}/els*"
try regild compare
rm ~/.gitconfig
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/elsewhere
export GIT_CONFIG_KEY_1=Safe.Directory GIT_CONFIG_VALUE_1=$PWD
regild compare -q --csv -
GIT_CONFIG_VALUE_1=* regild compare -q --csv -
GIT_CONFIG_VALUE_1= try regild compare
GIT_CONFIG_COUNT=1 try regild compare
unset GIT_CONFIG_COUNT
printf '[safe]\n\tdirectory = *\n' >>.git/config
try regild compare
