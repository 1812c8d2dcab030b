# SPDX-License-Identifier: Apache-2.0
# Long listings go through a pager as git's do: which one, only on a terminal, and the exit code stays
# the command's own.
needs_terminal
unset PAGER
golden old.json m 1
golden new.json m 2
# A person's pager marks what it shows. on_terminal COMMAND… prints what was to be seen.
on_terminal() {
	local status=0
	script -qec "$*" typescript </dev/null >/dev/null || status=$?
	grep -v '^Script' typescript | tr -d '\r'
	echo "exit code $status"
}
compare='regild compare --old old.json --new new.json --columns metric,n_steps'
new_repository
commit

echo "-- the environment, GIT_PAGER first; stderr goes there too"
export PAGER='sed "s/^/PAGER: /"'
on_terminal "$compare"
export GIT_PAGER='sed "s/^/GIT_PAGER: /"'
on_terminal "$compare"
echo "-- git's configuration comes before both, for commands that read no settings too"
git config regild.pager 'sed "s/^/regild.pager: /"'
on_terminal "$compare -q"
on_terminal regild check -q new.json old.json
on_terminal regild audit --from old.json
git config regild.pager 'echo "regild.pager:"; cat'
on_terminal regild history
cat >run.jsonl <<'END'
{"repository": "github.com/o/r", "source": "github", "settings": "s", "id": 9, "attempt": 1, "commit": "c", "branch": "main", "event": "push", "when": "", "fork": false, "complete": true, "kind": "run", "path": null, "sha256": null, "bytes": null, "records": null, "metric": null, "text": null, "steps": null, "values": null}
END
regild history import -q run.jsonl
on_terminal regild history
on_terminal regild undo --list
on_terminal regild textconv old.json
echo "-- none: cat, an empty name, --no-pager, before the command and after it, no terminal"
on_terminal "$compare -q --no-pager"
on_terminal "regild --no-pager ${compare#regild} -q"
git config regild.pager cat
on_terminal "$compare -q"
git config regild.pager ''
on_terminal "$compare -q"
git config regild.pager 'sed "s/^/regild.pager: /"'
$compare -q

echo "-- a .regild names no program to run"
git config --unset regild.pager
unset GIT_PAGER PAGER
printf '[regild]\n\tpager = touch %s/ran; cat\n' "$PWD" >.regild
GIT_PAGER='sed "s/^/mine: /"' on_terminal "$compare -q"
GIT_PAGER='sed "s/^/mine: /"' on_terminal "$compare"
[ ! -e ran ] && rm .regild

echo "-- less is asked to leave after one screen, unless LESS says otherwise"
export GIT_PAGER='echo "$LESS"; cat'
on_terminal "$compare -q"
LESS=R on_terminal "$compare -q"
echo "-- one that is not there"
GIT_PAGER=no-such-pager on_terminal "$compare"

echo "-- a gate's exit code stays, whatever the pager's is"
GIT_PAGER='cat; exit 7' on_terminal "$compare -q --fail-above 1e-3 2>messages"
echo "-- a reader who leaves early ends it as with git: by SIGPIPE"
many() {
	awk -v value="$1" 'BEGIN { printf "{"; for (i = 0; i < 4000; i++) printf "%s\"metric-%060d\": \
		{\"start_step\": 1, \"end_step\": 1, \"step_interval\": 1, \"values\": {\"1\": %d}}", \
		i ? ", " : "", i, value; print "}" }'
}
many 1 >many-old.json
many 2 >many-new.json
GIT_PAGER='head -n 1' on_terminal "regild compare -q --old many-old.json --new many-new.json --top 4000 --columns metric"
echo "-- Ctrl-C, twice, is the pager's while it has the terminal; then it counts"
GIT_PAGER='cat; kill -INT $PPID; kill -INT $PPID; echo "the pager goes on"' on_terminal "$compare -q"
