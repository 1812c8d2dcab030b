# SPDX-License-Identifier: Apache-2.0
# A gate that can hold nothing in the whole repository does not pass: a mistyped limit, a condition on
# what no golden has, a noise model that is not there; whether a golden changed or not.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.json *.csv\n[metric "*-time"]\n\tduration = yes\n' >.regild
mkdir g
golden g/a.json 'lm loss' 1 2
printf 'name,value\nadd,3\n' >g/t.csv
commit
hold() {
	echo "== $*"
	try regild compare --csv - "$@"
}
{
	for change in nothing 'the loss'; do
		echo "# $change changed"
		hold -q --fail-on newly-failing
		hold -q --fail-on status-worse,crash,undelegated,snr-drop=3,slower=5%,tolerance
		hold -q --fail-on outside,run,changed
		hold -q --fail-on slower=5% --allow no-match
		hold -q --fail-above 'losss=0.1'
		hold -q --fail-above 'losss=0.1' --allow no-match
		hold --fail-on changed --fail-above 'lm*=3'
		golden g/a.json 'lm loss' 1 4
	done
	echo '# a golden that did not change has it'
	git checkout -q g
	printf '[table "t.csv"]\n\ttolerance = noise\n' >>.regild
	printf 'name,value,noise\nadd,3,0.1\n' >g/t.csv
	golden g/time.json 'iteration-time' 1 4
	commit
	golden g/a.json 'lm loss' 1 4
	hold -q --fail-on slower=5%,tolerance
	echo '# two files, and a refresh'
	hold -q --old g/a.json --new g/a.json --fail-on slower=5%
	mkdir -p ../run
	printf '[source "x"]\n\tartifact = run*\n\tmembers = *.json\n\ttarget = {file}\n' >>.regild
	golden ../run/a.json 'lm loss' 1 8
	try regild refresh -q --csv - --from ../run --fail-on status-worse
	golden ../run/a.json 'lm loss' 1 9
	try regild refresh -q --csv - --from ../run --fail-on status-worse --allow no-match --allow dirty
	hold --allow none
} >shown 2>&1
cat shown
