# SPDX-License-Identifier: Apache-2.0
# A golden behind a clean and smudge filter, which only git can run: where git's blob cannot be read, the message
# names the filter.
new_repository
git config regild.files '*.json'
git config filter.secret.clean 'tr a-z0-9 n-za-m5-90-4'
git config filter.secret.smudge 'tr a-z0-9 n-za-m5-90-4'
echo '*.json filter=secret' >.gitattributes
mkdir -p $ROOT/s/a
echo '{"m": {"values": {"1": 1}}}' | tr '{}' '<>' >$ROOT/s/a/golden.json
commit
echo '{"m": {"values": {"1": 2}}}' >$ROOT/s/a/golden.json
try regild compare
git checkout -q .
try regild check -v
echo '*.json -filter' >.gitattributes
regild check -v
# exit: 4
