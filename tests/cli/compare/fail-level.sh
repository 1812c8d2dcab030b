# SPDX-License-Identifier: Apache-2.0
# A `fail` level of the settings gates what has no figure, as --fail-above does; a golden that was removed breaks every
# gate; and a gate that had nothing to look at says so.
git init -q
mkdir old new
# The gate's lines of a file on both sides.
hold() {
	local file=$1
	shift
	echo "== $file $*"
	regild compare path:old/$file path:new/$file --csv /dev/null "$@" >/dev/null || echo "exit code $?"
}
level() {
	printf "# $1\n" | tr -d "\t" | tr "\n" " "
	echo
	printf "[metric \"*\"]\n\t$1\n" >.regild
}
write() { # FILE OLD NEW
	printf "$2" >old/$1
	printf "$3" >new/$1
}
write file.dat '\0one' '\0two'
write cell.csv 'name,state,v\na,ok,1\nb,ok,2\n' 'name,state,v\na,ok,1\nb,bad,2\n'
write gone-cell.csv 'name,v\na,7\nb,8\n' 'name,v\na,\nb,8\n'
write unit.csv 'name,v\na,7 ns\nb,8 ns\n' 'name,v\na,7 ms\nb,8 ns\n'
write renamed.txt 'energy = 5\nforce = 6\n' 'Energy = 500\nforce = 6\n'
write word.txt 'energy = 5\nforce = 6\n' 'energy = foo\nforce = 6\n'
write gone-line.txt 'energy = 5\nforce = 6\n' 'energy = 5\n'
write new-line.txt 'energy = 5\n' 'energy = 5\nforce = nan\n'
write number.json '{"m": "abc", "n": 3}' '{"m": 0.5, "n": 3}'
write gone-text.json '{"m": "abc", "n": 3}' '{"n": 3}'
write remark.csv '# seed 5\nname,v\na,7\nb,8\n' '# seed 6\nname,v\na,7\nb,8\n'
write twice.json '{"m": 1, "m": 2}' '{"m": 3, "m": 2}'
{
	echo '# without a level'
	hold file.dat
	hold gone-line.txt
	level 'fail = 1e-3'
	for file in $(cd old && ls); do
		hold $file
	done
	for kind in absolute ulp combined; do
		level "kind = $kind\n\tfail = 4"
		for file in cell.csv file.dat gone-line.txt remark.csv renamed.txt unit.csv; do
			hold $file
		done
	done
	echo '# allowed'
	for file in file.dat cell.csv renamed.txt number.json remark.csv; do
		hold $file --allow no-figure
	done
	for file in gone-cell.csv gone-text.json; do
		hold $file --allow shrink
	done
	hold gone-line.txt --allow shrink --allow no-figure
	echo '# a level of another metric'
	printf '[metric "force"]\n\tfail = 1e-3\n' >.regild
	hold file.dat
	hold remark.csv
	echo '# a limit holds a text that went, too'
	rm .regild
	hold gone-text.json --fail-above 1

	echo '# a golden that was removed'
	mkdir -p sides/old sides/new sides/none
	printf '{"m": 1}' | tee sides/old/a.json sides/old/b.json >sides/new/a.json
	gate() {
		echo "== $*"
		regild compare path:sides/old path:sides/new --csv /dev/null "$@" >/dev/null || echo "exit code $?"
	}
	gate
	gate --fail-on lost
	gate --fail-on lost,removed
	gate --fail-on lost --allow shrink
	gate --fail-on nonfinite
	gate --fail-above 1
	gate --fail-above 1 --allow shrink
	gate --fail-above 1 -v
	printf '[metric "m"]\n\tfail = 1e-3\n' >.regild
	gate
	gate --allow shrink
	printf '[metric "other"]\n\tfail = 1e-3\n' >.regild
	gate
	echo '# an old side that nobody can read'
	printf '{' >sides/old/b.json
	gate
	printf '[metric "*"]\n\tfail = 1e-3\n' >.regild
	gate

	echo '# nothing to look at'
	rm .regild
	printf '{' >sides/new/a.json
	printf '{' >sides/new/b.json
	gate --fail-above 1
	gate --fail-on nonfinite
	rm sides/new/a.json sides/new/b.json
	printf '{"n": 1}' >sides/new/c.json
	gate --fail-above 1 --allow shrink
	gate --fail-on nonfinite --allow shrink
} >shown 2>&1
cat shown
