# A repository of another user: libgit2 refuses it as git does, and the message says what to do.
[ "$(id -u)" = 0 ] || skip "needs root"
new_repository
golden $ROOT/s/t/golden.json m 1
commit
chown -R 12345 .
try regild compare
git config --global --add safe.directory "$PWD"
regild compare
