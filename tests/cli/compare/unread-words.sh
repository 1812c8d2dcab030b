# SPDX-License-Identifier: Apache-2.0
# What is told of a golden whose numbers no metric has, of the numbers that a text lost, and of what broke a gate.
mkdir old new
told() {
	echo "== $*"
	regild compare "$@" --csv /dev/null 2>&1 | grep -v 'not measured' || true
}
write() { # FILE OLD NEW
	printf "$2" >old/$1
	printf "$3" >new/$1
}
echo '# numbers that no metric has are no same values'
write remark.csv '# seed 5\nname,v\na,7\n' '# seed 6\nname,v\na,7\n'
write twice.json '{"m": 1, "m": 2}' '{"m": 3, "m": 2}'
write layout.json '{"m": 1}' '{"m":  1}'
write order.json '{"m": 1, "n": 2}' '{"n": 2, "m": 1}'
told old new
told old/remark.csv new/remark.csv
regild compare -q old/remark.csv new/remark.csv --csv /dev/null --json - | grep -o '"kind": "unread", "goldens": 1'
echo '# numbers that a text lost are named by their golden'
rm old/* new/*
write a.txt 'energy = 5\nforce = 6\n' 'energy = 5\n'
write b.txt 'energy = 5\nforce = 6\nend\n' 'energy = foo\nforce = 6\nend\n'
told old/a.txt new/a.txt
git init -q .
printf '[regild]\n\tfiles = *.txt\n' >.regild
told path:old path:new
rm .regild
echo '# metrics and goldens are counted as what they are'
rm old/* new/*
for i in 1 2 3; do
	write $i.json '{"dur": "a", "x": 1}' '{"dur": "b", "x": 2}'
done
told old new --fail-above 0.1 | grep -A 3 REVIEW
write 4.json '{"dur": "a", "end": "a", "x": 1}' '{"dur": "b", "end": "b", "x": 2}'
told old new --fail-above 0.1 | grep -A 4 REVIEW
