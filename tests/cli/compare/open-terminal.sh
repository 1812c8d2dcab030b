# SPDX-License-Identifier: Apache-2.0
# --open on a terminal: a browser that shows pages there has it for itself, and no pager is in its way.
needs_terminal
golden old.json m 1
golden new.json m 2
printf '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && echo "w3m shows ${1##*/}"\n' >w3m
chmod +x w3m
export PAGER='sed "s/^/PAGER: /"' BROWSER=$PWD/w3m
script -qec "regild compare -q --old old.json --new new.json --columns metric --open --html page.html" typescript </dev/null >/dev/null
grep -v '^Script' typescript | tr -d '\r'
