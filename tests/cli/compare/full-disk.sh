# SPDX-License-Identifier: Apache-2.0
# A full disk is an error for every output.
[ -c /dev/full ] || skip "needs /dev/full"
new_repository
git config regild.files '*.json'
golden $ROOT/s/t/golden.json m 1
commit
golden $ROOT/s/t/golden.json m 2
for output in csv markdown json html; do
	try regild compare -q --$output /dev/full
	try sh -c "regild compare -q --$output - >/dev/full"
done
try sh -c 'regild compare -q >/dev/full'
# What a gate has found must not be lost after its own exit code.
try sh -c 'regild compare -q --fail-above 0.1 >/dev/full'
golden $ROOT/s/t/golden.json m NaN
try sh -c 'regild check -q >/dev/full'
