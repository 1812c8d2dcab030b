# SPDX-License-Identifier: Apache-2.0
# OpenMC's and CP2K's results are texts with numbers: what no other reader takes. Lines that came or went
# are told, and are lost where they had a number; what a [text] section ignores is no part of it.
new_repository
printf '[source "results"]\n\tartifact = results*\n\tmembers = **\n\ttarget = {path}\n[regild]\n\troot = g\n\tfiles = results_true.dat\n[text "results_true.dat"]\n\tignore = Elapsed *\n\tignore = on host *\n' >.regild
mkdir g
printf 'k-combined:\n1.17 9.7E-03\nElapsed 5.1 s\non host n1 of 7\ntally:\n1.5\n2.5\nend\n' >g/results_true.dat
commit
echo '== other numbers'
printf 'k-combined:\n1.16 9.7E-03\nElapsed 9.9 s\non host n2 of 8\ntally:\n1.5\n3.0\nend\n' >g/results_true.dat
regild compare
git diff --no-ext-diff -U0 | sed -n '/^@@/,$p'
echo '== the same, written otherwise'
printf 'k-combined:\r\n 1.170   9.70E-3\ntally: \n1.50\n2.5\n\nend' >g/results_true.dat
try regild compare --fail-on changed
echo '== lines came and went'
printf 'k-combined:\n1.17 9.7E-03\nwarning: leakage\ntally:\n2.5\nend\n' >g/results_true.dat
try regild compare --fail-on lost,changed --json all.json
checked_json compare <all.json | grep -o '"changes": [^,]*'
regild compare -q --csv -
echo '== a check, and the lines alone'
regild check
regild compare -q --file g/results_true.dat --filter "metric=(text)"
echo '== an update holds back what it loses'
mkdir -p ../new/results
cp g/results_true.dat ../new/results
git checkout -q g
refresh() {
	try regild refresh -q --from ../new
}
refresh
printf 'x 1\n' >../new/results/results_true.dat
refresh
printf 'nothing at all\n' >../new/results/results_true.dat
refresh
echo '== a name of its own, for a value that is a part of a word'
git checkout -q g
git config --file .regild --unset-all text.results_true.dat.ignore
git config --file .regild text.results_true.dat.name 'leakage: {value}s'
printf 'k-combined:\n1.17 9.7E-03\nleakage: 3s\n' >g/results_true.dat
commit
printf 'k-combined:\n1.17 9.7E-03\nleakage: 4s\n' >g/results_true.dat
regild compare -q --csv -
git config --file .regild text.results_true.dat.name 'leakage: {step}'
try regild compare
git config --file .regild text.results_true.dat.name 'leakage: {value}'
echo '== a key that there is not'
printf '[text "*.dat"]\n\tskip = x\n' >>.regild
regild compare
# exit: 2
