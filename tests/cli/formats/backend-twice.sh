# SPDX-License-Identifier: Apache-2.0
# A record of a report of backend tests that comes again is told where the one that does not count differs.
mkdir old new
report() {
	printf 'Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Delegated,Output 0 SNR,Error\n'
	printf '%s\n' "$@"
}
pass='t1,t,0,xnnpack,,Pass,,True,90.5,'
fail='t1,t,0,xnnpack,,Fail,Output Mismatch,True,,'
other='t2,t,0,xnnpack,,Pass,,True,80,'
hold() {
	echo "== $*"
	regild compare old/r.csv new/r.csv --csv /dev/null "$@" 3>&1 >/dev/null 2>&3 || echo "exit code $?"
}
{
	report "$pass" "$other" >old/r.csv
	report "$fail" "$pass" "$other" >new/r.csv
	hold
	hold --fail-on changed
	hold --fail-above '*=1e-3' --fail-on lost,nonfinite,new
	try regild check new/r.csv
	echo '# the same twice on both sides'
	cp new/r.csv old/r.csv
	hold --fail-on changed
	echo '# another one before it'
	report "$pass" "$pass" "$other" >new/r.csv
	hold --fail-on changed
	echo '# only its message differs, which is compared nowhere'
	report "${fail}one" "$pass" "$other" >old/r.csv
	report "${fail}two" "$pass" "$other" >new/r.csv
	hold --fail-above 0
	echo '# a column that comes again'
	printf 'Test ID,Flow,Result,Output 0 SNR,Output 0 SNR\na,qnn,Pass,10,11\n' >old/r.csv
	printf 'Test ID,Flow,Result,Output 0 SNR,Output 0 SNR\na,qnn,Pass,3,11\n' >new/r.csv
	hold --fail-above 0
} >shown 2>&1
cat shown
