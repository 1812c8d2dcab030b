# SPDX-License-Identifier: Apache-2.0
# The help of every command fills the window and is never wider: a line ends where the next word would not
# have fitted. Compared with the same help in a window in which nothing is folded.
needs_terminal
{
	echo '' # of regild itself
	echo reports
	regild help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
	for name in history executorch; do
		regild help "$name" | sed -n "/^Commands:/,/^Common/s/^  \([a-z][a-z-]*\)  .*/$name \1/p"
	done
} >names
[ "$(wc -l <names)" -gt 40 ] || echo "no commands"

# render COLUMNS: each command's help in a file of its own.
render() {
	{
		echo "stty cols $1"
		while read -r name; do
			echo "regild help $name >/dev/tty; echo '=== of \"$name\"'"
		done <names
	} >script
	script -qec 'bash script' "help.$1" </dev/null >/dev/null
	tr -d '\r' <"help.$1" | sed '/^Script /d' >"$1"
}

render 1000
for columns in 60 80 100 132; do
	render $columns
	awk -v columns=$columns -f "$REGILD_TOP/tests/cli/program/folded.awk" 1000 $columns
done
# A text in a table of options or commands is not folded itself: a paragraph ends with its sentence.
awk '/^usage: / { usage = 1; next }
	usage && /^$/ { usage++ }
	usage == 2 && /^[^ ]/ && !/[.:]$/ { print "a line ends within a sentence: " $0 }' 1000
# Nor has one a character of several bytes, which would be counted as several columns.
LC_ALL=C grep -n '[^ -~]' 1000 || true
