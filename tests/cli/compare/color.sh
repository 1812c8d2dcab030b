# SPDX-License-Identifier: Apache-2.0
# Colours where --color says so, else on a terminal that can show them, unless NO_COLOR has a value.
needs_terminal
golden old.json m 1
golden new.json m 2
compare='regild compare -q --old old.json --new new.json --columns metric'
NO_COLOR=1 $compare --color always | cat -v
$compare --color auto | cat -v
# on_terminal VARIABLE… OPTIONS: has what is drawn on a terminal colours?
on_terminal() {
	script -qec "env $1 $compare $2" typescript </dev/null >/dev/null
	echo "$*: $(grep -c "$(printf '\033')" typescript)"
}
export TERM=xterm
on_terminal TERM=xterm
on_terminal NO_COLOR=
on_terminal NO_COLOR=0
on_terminal TERM=dumb
on_terminal TERM=xterm '--color never'
