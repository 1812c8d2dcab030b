# A full disk is an error for every output.
[ -c /dev/full ] || skip "needs /dev/full"
new_repository
golden $ROOT/s/t/golden.json m 1
commit
golden $ROOT/s/t/golden.json m 2
for output in csv markdown json; do
	try regild compare -q --$output /dev/full
	try sh -c "regild compare -q --$output - >/dev/full"
done
try sh -c 'regild compare -q >/dev/full'
