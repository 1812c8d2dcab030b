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
