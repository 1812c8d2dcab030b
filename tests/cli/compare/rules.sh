# SPDX-License-Identifier: Apache-2.0
# What other tools call equal, case by case: [check "NAME"] rule = RULE says it of a row, and a finding says where the
# rule passes another kind of values. The old or expected value comes first.
git init -q .
python3 "$REGILD_TOP/tests/rules/cases.py" <<'END'
== numpy
numpy-testing-array_equal | f8 0 | f8 - 5
numpy-testing-array_equal | f8 - 5 | f8 0
numpy-testing-allclose | f8 0 | f8 0x3
numpy-testing-almost_equal decimal=6 | f8 1 1.0 | f8 1 1.0000014
numpy-testing-almost_equal decimal=6 | f8 1 1.0 | f8 1 1.0000016
numpy-testing-max_ulp maxulp=2 | f4 1 1e-45 | f4 1 -1e-45
numpy-testing-max_ulp | f4 1 1e-45 | f4 1 -1e-45
numpy-allclose | f8 3 2 2 2 | f8 1 2
numpy-allclose | f8 3 2 2 2 | f8 3x1 2 2 2
numpy-allclose | f8 3 1 2 3 | f8 3x1 1 2 3
numpy-allclose | f8 0 | f8 1 5
numpy-allclose | f8 2 1 nan | f8 2 1 nan
numpy-allclose | i8 2 1 0 | b1 2 1 0
== pytest-regressions
pytest-regressions | f8 1 0.0 | f8 1 5e-9
pytest-regressions | f8 2 nan inf | f8 2 nan inf
pytest-regressions | f8 1 16777216 | f8 1 16777217
pytest-regressions | f8 3 1.5 2 3 | f8 2 1.5 2
pytest-regressions | csv i,w,@;0,1,1.5;1,2,2.5;2,3,3.5 | csv i,w,@;0,1,1.5;1,2,2.5;2,3,
pytest-regressions | csv i,w,@;0,1,1.5;1,2,2.5;2,3,NaN | csv i,w,@;0,1,1.5;1,2,2.5;2,3,
pytest-regressions | csv i,@,@x;0,1.5,7;1,2.5,8 | csv i,@,@x;0,1.5,7;1,2.500001,8
== pandas
pandas-frame | i8 1 1000000 | i8 1 1000005
pandas-frame | i8 1 1000000 | f8 1 1000000
pandas-frame check-dtype=no | i8 1 1000000 | f8 1 1000000
pandas-frame | i8 2 9007199254740992 1 | i8 2 9007199254740993 1
pandas-frame | csv n,@;a,1.5;b,2.5 | csv n,@;b,2.5;a,1.5
pandas-frame check-like=yes | csv n,@;a,1.5;b,2.5 | csv n,@;b,2.5;a,1.5
pandas-frame check-like=yes | csv n,@;a,1.5;b,2.5 | csv n,@;b,1.5;a,2.5
pandas-frame | csv n,@;a,1.5;b,2.5 | csv n,@;b,1.5;a,2.5
== xarray
xarray | f8 1 1.0 | f4 1 1.0
xarray-equal | f8 1 1.0 | f4 1 1.0
xarray | f8 2x3 1 1 1 1 1 1 | f8 3x2 1 1 1 1 1 1
xarray-equal | f8 2x3 1 1 1 1 1 1 | f8 3x2 1 1 1 1 1 1
== R
r-all.equal | f8 2 1e-3 1e6 | f8 2 2e-3 1e6
r-all.equal | f8 2 1e-3 1e6 | f8 2 2e-3 1000000.000001
r-all.equal | f8 1 0 | f8 1 1e-9
r-all.equal | csv n,@;a,1.5;b,NaN | csv n,@;a,1.5;b,NA
r-all.equal | csv n,@;a,1.5;b,2 | csv n,@;a,1.5;b,NA
r-all.equal | i8 1 1 | f8 1 1
r-all.equal | f8 1 nan | f8 1 1
testthat | f8 2 1e-3 1e6 | f8 2 2e-3 1e6
testthat | f8 2 1e-3 1e6 | f8 2 2e-3 1000000.000001
testthat | f8 1 0 | f8 1 1e-9
== Octave
octave-assert tol=-1e-6 | f8 1 0 | f8 1 1e-20
octave-assert tol=-1e-6 | f8 1 1e-20 | f8 1 0
octave-assert | csv n,@;a,1;b,NaN | csv n,@;a,1;b,NA
octave-assert | f8 1 3 | f4 1 3
octave-assert tol=1 | i4 1 3 | u1 1 3
octave-assert tol=inf | f8 1 -inf | f8 1 inf
octave-assert | f8 1 -0.0 | f8 1 0
octave-assert | i1 1 127 | i1 1 127
== h5diff
h5diff p=0.1 | f8 2 0 1 | f8 2 1e-3 1
h5diff d=1e-2 | f8 2 0 1 | f8 2 1e-3 1
h5diff | f8 4 1 2 3 4 | f8 3 1 2 3
h5diff | f8 3 1 2 3 | f8 0
h5diff | f8 2 1 2 | f8 2x1 7 8
h5diff | f8 2 1 2 | i8 2 7 8
h5diff | i8 2 1 0 | b1 2 0 1
h5diff | json {"@": 1} | json {"@": "one"}
h5diff d=1 | i4 1 -2147483648 | i4 1 2147483647
h5diff p=0.01 | i8 1 -9223372036854775808 | i8 1 9223372036854775807
h5diff | i8 1 -9223372036854775808 | i8 1 9223372036854775807
h5diff p=1e-9 | f8 2 inf 5 | f8 2 1 5
h5diff p=1e-9 | f8 2 inf 5 | f8 2 -inf 5
h5diff p=1e-9 | f8 2 1 5 | f8 2 inf 5
h5diff | f8 1 0 | f8 1 -0.0
== fitsdiff
fitsdiff | f8 1 nan | f8 1 nan
fitsdiff | f8 2 nan 1 | f8 2 inf 1
fitsdiff | f8 2 nan 1 | f8 2 1e20 1
fitsdiff | f8 2 inf 1 | f8 2 nan 1
fitsdiff | f8 1 0 | f8 1 1e-300
== cdo
cdo-diffn | f8 2 1 2 | f8 2 2 1
cdo-diffn | f8 1 0 | f8 1 1e-12
cdo-diffn | f8 2 nan 1 | f8 2 3 1
cdo-diffn | f8 2 3 1 | f8 2 nan 1
cdo-diffn | f8 2 nan 1 | f8 2 inf 1
cdo-diffn | f8 - 1 | f8 - 3
cdo-diffn | csv n,@;a,1.5;b,2.5 | csv n,@;a,1.5;b,failed
cdo-diffn | json [{"n": "a", "@": 1.5}, {"n": "b", "@": 2}] | json [{"n": "a", "@": 1.5}, {"n": "b", "@": null}]
== numdiff
numdiff a=0.1 r=1e-3 | f8 1 1000.0 | f8 1 1000.5
numdiff a=1 r=1e-9 | f8 1 1000.0 | f8 1 1000.5
numdiff a=1 r=1e-9 strict=yes | f8 1 1000.0 | f8 1 1000.5
numdiff a=0.1 | f8 1 1.0 | f8 1 1.1
numdiff a=0.1 r=1e-3 | txt @ 1000.0 | txt @ 1000.5
numdiff | txt @ 1.5;begin of it;the middle;an end | txt @ 1.5;begin of it;an end
numdiff | f8 1 1152921504606846976 | i8 1 1152921504606846976
== JavaScript
jest-close | f8 1 1.01 | f8 1 1.005
jest-close | f8 1 inf | f8 1 inf
jest-close | f8 1 nan | f8 1 nan
jest-equal | f8 1 -0.0 | f8 1 0
jest-equal | f8 1 nan | f8 1 nan
jest-equal | f4 1 1.5 | f8 1 1.5
jest-equal | json {"@": [1, 2]} | json {"@": [1]}
jest-equal | i8 1 9007199254740992 | i8 1 9007199254740993
node-equal | f8 1 -0.0 | f8 1 0
node-equal | f8 1 nan | f8 1 nan
node-equal | csv n,@;a,NaN;b,1 | csv n,@;a,NaN;b,1
== Python
math-isclose rel-tol=0.1 | f8 1 1.0 | f8 1 1.1
pytest-approx rel=0.1 | f8 1 1.0 | f8 1 1.11
pytest-approx rel=0 abs=0 | i8 1 9007199254740992 | i8 1 9007199254740993
pytest-approx | f8 1 nan | f8 1 nan
pytest-approx | json {"@": [1, 0]} | json {"@": [true, false]}
pytest-approx | json {"@": 1} | json {"@": "1"}
== tables and lists by position
numpy-allclose | csv n,@;a,1.5;b,2.5 | csv n,@;a,1.5;c,2.5
numpy-allclose | csv n,@;a,1 ms;b,2 ms | csv n,@;a,1 s;b,2 s
numpy-allclose | json {"@": {"10": 1.5, "20": 2}} | json {"@": {"11": 1.5, "21": 2}}
numpy-allclose | json {"@": []} | json {"@": [5]}
numpy-allclose | json {"@": [1, null, 3]} | json {"@": [1, 2, 3]}
END
echo '== how it looks: a table, and more values than are read at a time or than numpy has memory for'
rm old/* new/*
printf '[regild]\nlayout = plain\nroot = .\nfiles = **\n[check "numpy"]\nmetric = *\nrule = numpy-allclose\nequal-nan = yes
[check "hdf"]\nmetric = *\nrule = h5diff\nd = 1\n' >.regild
printf 'name,v,w\na,1.5,1\nb,2.5,1\nc,nan,1\n' >old/order.csv
printf 'name,v,w\nb,2.5,1\na,1.5,1\nc,nan,1\n' >new/order.csv
printf 'name,v,w\na,1.5,2\nb,2.5,2\nc,nan,2\n' >old/lost.csv
printf 'name,v,w\na,1.5,2\n' >new/lost.csv
for side in old new; do
	python3 - $side <<-'END'
		import struct, sys
		def array(name, shape, values):
		    head = "{'descr': '<f8', 'fortran_order': False, 'shape': %r, }" % (shape,)
		    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
		    open('%s/%s.npy' % (sys.argv[1], name), 'wb').write(
		        b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<%dd' % len(values), *values))
		new = sys.argv[1] == 'new'
		array('long', (2000,), [i + (new and i == 1499) for i in range(2000)])
		array('wide', (1, 20000) if new else (20000, 1), range(20000))
	END
done
try regild compare old new --fail-on check:hdf --columns file,metric,checks
