# SPDX-License-Identifier: Apache-2.0
# Blanks and the way in which a number is written are formatting, in a text, a table, JSON and YAML, and each output says
# so with the same words. What no row shows, such as a remark, a column that is not read or a key's place, is not.
new_repository
cat >.regild <<'END'
[source "r"]
	artifact = r*
	members = **
	target = {path}
[regild]
	root = g
	files = *
[text "left-out.txt"]
	ignore = took *
[table "columns.csv"]
	columns = name,energy
END
mkdir g
# write A B…: what each golden is made of.
write() {
	printf "$1" >g/text.txt
	printf "$2" >g/table.csv
	printf "$3" >g/numbers.dat
	printf "$4" >g/object.json
	printf "$5" >g/settings.yaml
}
write 'energy 100\nforce = 1.50\nnothing here\n' 'name,energy,note\nx,100,hi there\ny,2,bye\n' '1 100\n2 200\n' \
	'{"a": 100, "b": [1, 2], "s": "x y"}\n' 'a: 100\nb: [1, 2]\n'
printf 'energy 100\ntook 1 s\n' >g/left-out.txt
printf 'name,energy,note\nx,1,hi\n' >g/columns.csv
printf 'a: 1\n' >g/remark.yaml
printf '{"a": 1, "b": 2}\n' >g/order.json
commit
write '  energy   1e2\r\nforce =\t1.5\n\nnothing  here' 'name, energy,note\nx,100.0,hi there\ny,2e0,bye\n' ' 1  +1e2\n2 200.0\n' \
	'{"a":1E2,\n "b": [1.0, 2 ], "s": "x y"}' 'a:   1e2\nb: [1.0, 2]\n'
regild compare --markdown summary.md --json report.json --html page.html
for output in summary.md report.json page.html; do
	echo "== $output"
	grep -o 'same values, different formatting in [^"<]*\|"formatted": [0-9]*' $output | sort -u
done
checked_json compare <report.json | grep -o '"formatted": [0-9]*'
echo '== a remark, a line and a column that are left out, and the order of keys'
printf 'energy 100\ntook 2 s\n' >g/left-out.txt
printf 'name,energy,note\nx,1,hello\n' >g/columns.csv
printf '# of today\na: 1\n' >g/remark.yaml
printf '{"b": 2, "a": 1}\n' >g/order.json
regild compare --file g/left-out.txt --file g/columns.csv --file g/remark.yaml --file g/order.json --json report.json
checked_json compare <report.json | grep -o '"unshown": [0-9]*'
echo '== a word or a number more is neither'
write 'energy 100\nforce = 1.50\nnothing  there\n' 'name,energy,note\nx,100,hi  you\ny,2,bye\n' '1 100\n2 201\n' \
	'{"a": 100, "b": [1, 2], "s": "x  y"}\n' 'a: 100\nb: [1, 2, 3]\n'
regild compare --file g/text.txt --file g/table.csv --file g/numbers.dat --file g/object.json --file g/settings.yaml | tail -8
