# SPDX-License-Identifier: Apache-2.0
# A project whose tests read goldens with PyYAML, and one that reads them with npm's yaml, see the numbers that their reader sees.
git init -q
compare() {
	regild compare --no-pager old.yaml new.yaml --columns metric,n_steps,change,old_mean,new_mean
	echo
}
printf 'time: 12:30\nlimit: 1_000\nmode: 017\nlr: 1e-7\nbits: 0o17\nfast: yes\n' >old.yaml
printf 'time: 12:45\nlimit: 2_000\nmode: 010\nlr: 2e-7\nbits: 0o10\nfast: no\n' >new.yaml
compare
printf '[yaml]\n\tread = 1.2\n' >.regild
compare

echo "== both read these alike"
printf 'loss: [1.5, 2.0e-3, -4, .inf]\n' >old.yaml
printf 'loss: [1.5, 2.0e-3, -5, .inf]\n' >new.yaml
compare

echo "== another version"
printf '[yaml]\n\tread = 1.3\n' >.regild
try regild compare old.yaml new.yaml
