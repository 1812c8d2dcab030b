# SPDX-License-Identifier: Apache-2.0
# The program's help goes to stdout and names every command.
regild help >help.txt
head -n 3 help.txt
sed -n '/^Common/,$p' help.txt
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
regild help pack | head -n 1
