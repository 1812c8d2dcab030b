# SPDX-License-Identifier: Apache-2.0
# What broke the gate is named by `next`, worst first, and the bottom line does not hide it among "4 more
# metrics": here the metric that moved most is the last of the alphabet.
row() {
	printf '"%s": {"1": %s, "2": %s}' "$1" "$2" "$2"
}

write() {
	printf '{'
	for metric in aa bb cc dd ee ff mem-gg; do
		row $metric "$1"
		printf ', '
	done
	row zz "$2"
	printf '}\n'
}
write 1 1 >old.json
write 1.02 3 >new.json
try regild compare --old old.json --new new.json --fail-above 'zz=0.5' --json gate.json --markdown gate.md
grep -o '"metric": "[a-z-]*"[^}]*"gate": true' gate.json | cut -c1-200
grep -m 2 -e '^- ' gate.md
try regild compare --old old.json --new new.json --fail-above '*=1e-3' --top 1
