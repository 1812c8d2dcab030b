# SPDX-License-Identifier: Apache-2.0
# The program's help goes to stdout and names every command.
regild help >help.txt
sed '/^Other/,$d' help.txt
sed -n '/^Plumbing/,$p' help.txt
regild --help | diff help.txt -
regild -h | diff help.txt -
regild --help --quiet | diff help.txt -
for name in $(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' help.txt); do
	regild help "$name" >one.txt
	regild "$name" --help | diff one.txt -
	regild --help "$name" | diff one.txt -
	head -n 1 one.txt | grep -q "^usage: regild $name\b" || echo "no usage line: $name"
done
# What is required has no brackets.
regild help download | sed '/^$/q'
regild help update | sed '/^$/q'
regild help executorch pack | head -n 1
regild executorch pack --help | diff <(regild help executorch pack) -
try regild executorch
try regild executorch pick
try regild help history shwo
# What several commands share is said once.
regild help reports | head -n 4
# Each condition of --fail-on has its argument.
regild help reports | sed -n '/--fail-on/,$p'
for name in refresh compare; do regild help "$name" | grep -B 1 'help reports'; done
# Without a terminal no line is wider than 80 columns, but for examples, which are to be copied.
{
	sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' help.txt
	echo reports
	for name in history executorch; do
		regild help "$name" | sed -n "/^Commands:/,/^Common/s/^  \([a-z][a-z-]*\)  .*/$name \1/p"
	done
} >names
while read -r name; do
	regild help $name | sed '/^Examples:/,$d' | LC_ALL=C.UTF-8 awk -v name="$name" 'length > 80 { print name ": " $0 }'
done <names
needs_terminal
script -qec 'stty cols 66; regild help; regild help compare' typescript </dev/null >/dev/null
tr -d '\r' <typescript | grep -v '^Script' | grep -v '^  regild ' | LC_ALL=C.UTF-8 awk 'length > 66'
