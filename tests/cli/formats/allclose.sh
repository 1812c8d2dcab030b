# SPDX-License-Identifier: Apache-2.0
# ExecuTorch's preset: floats have the test harness's tolerances; integers, bools, types and shapes
# have to be the same, and nothing may stop being finite. Reports of tests have no such levels.
new_repository
regild init -q --layout executorch
# npy TYPE SHAPE BYTES
npy() {
	printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2,), }"
	printf "$3"
}
# hold WHAT compares old.npy with new.npy
hold() {
	local status=0
	regild compare -q --old old.npy --new new.npy --columns level >shown 2>&1 || status=$?
	echo "$1: exit code $status; $(grep '^regild: gate' shown || echo passes)"
}
npy '<f4' 2 '\0\0\200\77\0\0\200\77' >old.npy # 1, 1
npy '<f4' 2 '\0\0\220\77\0\0\200\77' >new.npy # 1.125
hold 'within atol + rtol'
npy '<f4' 2 '\0\0\240\77\0\0\200\77' >new.npy # 1.25
hold 'over it'
npy '<f4' 2 '\0\0\300\177\0\0\200\77' >new.npy
hold 'not a number'
npy '<f8' 2 '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\360\77' >new.npy
hold 'another type, equal numbers'
npy '<f4' 3 '\0\0\200\77\0\0\200\77\0\0\200\77' >new.npy
hold 'another shape'
npy '<f4' 2 '\0\0\0\0\0\0\0\0' >old.npy
npy '<f4' 2 '\0\0\0\0\0\0\0\75' >new.npy
hold 'a zero that is 0.03'
npy '<f4' 2 '\0\0\0\0\0\0\200\76' >new.npy
hold 'a zero that is 0.25'
npy '<i4' 2 'd\0\0\0d\0\0\0' >old.npy
npy '<i4' 2 'e\0\0\0d\0\0\0' >new.npy
hold 'an integer of 100 that is 101'
npy '|b1' 2 '\1\1' >old.npy
npy '|b1' 2 '\1\0' >new.npy
hold 'a bool'
cp old.npy new.npy
hold 'the same bools'
echo '# worse than any number is what is none any more'
mkdir -p old/{far,none} new/{far,none}
npy '<f4' 1 '\0\0\200\77' | tee old/far/a.npy >old/none/a.npy
npy '<f4' 1 '\0\0\200\177' >new/none/a.npy
npy '<f4' 1 '\0\0\310\102' >new/far/a.npy
try regild compare -q --old old --new new 2>&1 | grep differs
echo '# a report of tests that got better, and its gate'
printf 'Test ID,Flow,Result,Delegated,Lower Time (s),Output 0 SNR\nadd,qnn,Fail,False,3,10\n' >old.csv
printf 'Test ID,Flow,Result,Delegated,Lower Time (s),Output 0 SNR\nadd,qnn,Pass,True,1,90\n' >new.csv
regild compare -q --old old.csv --new new.csv --fail-on newly-failing,crash,undelegated,status-worse,slower=5%,snr-drop=3 >shown
sed -i 's/90/inf/' new.csv
regild compare -q --old old.csv --new new.csv --fail-on snr-drop=3,nonfinite >shown
