# SPDX-License-Identifier: Apache-2.0
# What other tools call equal, case by case: [check "NAME"] rule = RULE says it of a row, and a finding says where the
# rule passes another kind of value. The old or expected value comes first.
git init -q .
mkdir old new

# One python3 does all: a line "FILE TYPE SHAPE VALUE…" is an .npy of the values, and "checks FILE" are those in a report.
cat >helper.py <<-'END'
	import json, struct, sys
	def array(path, kind, shape, *values):
	    shape = tuple(int(x) for x in shape.split('x') if x != '-')
	    number = int if kind[1] in 'iu' else float
	    head = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (kind, shape)
	    head += ' ' * (63 - (len(head) + 10) % 64) + '\n'
	    code = {'<f8': 'd', '<f4': 'f', '<i8': 'q', '<i4': 'i', '|i1': 'b'}[kind]
	    with open(path, 'wb') as f:
	        f.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
	        f.write(struct.pack('<%d%s' % (len(values), code), *map(number, values)))
	    return ''
	def checks(path):
	    d = json.load(open(path))
	    return ' '.join(row['checks'].split(': ')[1] for row in d['rows'] + d['gaps'])
	for line in sys.stdin:
	    words = line.split()
	    print(checks(words[1]) if words[0] == 'checks' else array(*words), flush=True)
END
coproc helper { exec python3 helper.py; }
helped() {
	echo "$*" >&"${helper[1]}"
	read -r answer <&"${helper[0]}"
}
array() {
	helped "$@"
}

# case_of RULE [KEY=VALUE…] -- OLD -- NEW, each TYPE:SHAPE VALUE…
case_of() {
	local words=() side=old
	printf '[regild]\nlayout = plain\nroot = .\nfiles = *.npy\n[check "%s"]\nmetric = *\nrule = %s\n' "$1" "$1" >.regild
	printf '%-50s ' "$*"
	shift
	while [ "$1" != -- ]; do
		echo "$1" >>.regild
		shift
	done
	shift
	while [ $# -gt 0 ]; do
		if [ "$1" = -- ]; then
			array old/a.npy ${words[0]/:/ } "${words[@]:1}"
			words=()
		else
			words+=("$1")
		fi
		shift
	done
	array new/a.npy ${words[0]/:/ } "${words[@]:1}"
	regild compare old new --json report.json >report.txt 2>/dev/null
	helped checks report.json
	printf %s "$answer"
	sed -n 's/.* \(passes .*, though .*[a-z]\)  *a.npy$/ | \1/p' report.txt | head -n 1 | tr -d '\n'
	echo
}

echo '== numpy'
case_of numpy-testing-array_equal -- '<f8:0' -- '<f8:-' 5
case_of numpy-testing-allclose -- '<f8:0' -- '<f8:0x3'
case_of numpy-testing-almost_equal decimal=6 -- '<f8:1' 1.0 -- '<f8:1' 1.0000014
case_of numpy-testing-almost_equal decimal=6 -- '<f8:1' 1.0 -- '<f8:1' 1.0000016
case_of numpy-testing-max_ulp maxulp=2 -- '<f4:1' 1e-45 -- '<f4:1' -1e-45
case_of numpy-testing-max_ulp -- '<f4:1' 1e-45 -- '<f4:1' -1e-45
case_of numpy-allclose -- '<f8:3' 2 2 2 -- '<f8:1' 2
case_of numpy-allclose -- '<f8:3' 2 2 2 -- '<f8:3x1' 2 2 2
case_of numpy-allclose -- '<f8:3' 1 2 3 -- '<f8:3x1' 1 2 3
case_of numpy-allclose -- '<f8:2' 1 nan -- '<f8:2' 1 nan
echo '== pytest-regressions'
case_of pytest-regressions -- '<f8:1' 0.0 -- '<f8:1' 5e-9
case_of pytest-regressions -- '<f8:2' nan inf -- '<f8:2' nan inf
case_of pytest-regressions -- '<f8:1' 16777216 -- '<f8:1' 16777217
case_of pytest-regressions -- '<f8:3' 1.5 2 3 -- '<f8:2' 1.5 2
echo '== pandas'
case_of pandas-frame -- '<i8:1' 1000000 -- '<i8:1' 1000005
case_of pandas-frame -- '<i8:1' 1000000 -- '<f8:1' 1000000
case_of pandas-frame check-dtype=no -- '<i8:1' 1000000 -- '<f8:1' 1000000
case_of pandas-frame -- '<i8:2' 9007199254740992 1 -- '<i8:2' 9007199254740993 1
echo '== xarray'
case_of xarray -- '<f8:1' 1.0 -- '<f4:1' 1.0
case_of xarray-equal -- '<f8:1' 1.0 -- '<f4:1' 1.0
case_of xarray -- '<f8:2x3' 1 1 1 1 1 1 -- '<f8:3x2' 1 1 1 1 1 1
echo '== R'
for rule in r-all.equal testthat; do
	case_of $rule -- '<f8:2' 1e-3 1e6 -- '<f8:2' 2e-3 1e6
	case_of $rule -- '<f8:2' 1e-3 1e6 -- '<f8:2' 2e-3 1000000.000001
	case_of $rule -- '<f8:1' 0 -- '<f8:1' 1e-9
done
case_of r-all.equal -- '<i8:1' 1 -- '<f8:1' 1
case_of r-all.equal -- '<f8:1' nan -- '<f8:1' 1
echo '== Octave'
case_of octave-assert tol=-1e-6 -- '<f8:1' 0 -- '<f8:1' 1e-20
case_of octave-assert tol=-1e-6 -- '<f8:1' 1e-20 -- '<f8:1' 0
case_of octave-assert -- '<f8:1' 3 -- '<f4:1' 3
case_of octave-assert tol=inf -- '<f8:1' -inf -- '<f8:1' inf
case_of octave-assert -- '<f8:1' -0.0 -- '<f8:1' 0
case_of octave-assert -- '|i1:1' 127 -- '|i1:1' 127
echo '== h5diff'
case_of h5diff p=0.1 -- '<f8:2' 0 1 -- '<f8:2' 1e-3 1
case_of h5diff d=1e-2 -- '<f8:2' 0 1 -- '<f8:2' 1e-3 1
case_of h5diff -- '<f8:4' 1 2 3 4 -- '<f8:3' 1 2 3
case_of h5diff -- '<f8:3' 1 2 3 -- '<f8:0'
case_of h5diff d=1 -- '<i4:1' -2147483648 -- '<i4:1' 2147483647
case_of h5diff p=0.01 -- '<i8:1' -9223372036854775808 -- '<i8:1' 9223372036854775807
case_of h5diff -- '<i8:1' -9223372036854775808 -- '<i8:1' 9223372036854775807
case_of h5diff p=1e-9 -- '<f8:2' inf 5 -- '<f8:2' 1 5
case_of h5diff p=1e-9 -- '<f8:2' inf 5 -- '<f8:2' -inf 5
case_of h5diff p=1e-9 -- '<f8:2' 1 5 -- '<f8:2' inf 5
case_of h5diff -- '<f8:1' 0 -- '<f8:1' -0.0
echo '== fitsdiff'
case_of fitsdiff -- '<f8:1' nan -- '<f8:1' nan
case_of fitsdiff -- '<f8:2' nan 1 -- '<f8:2' inf 1
case_of fitsdiff -- '<f8:2' nan 1 -- '<f8:2' 1e20 1
case_of fitsdiff -- '<f8:1' 0 -- '<f8:1' 1e-300
echo '== cdo'
case_of cdo-diffn -- '<f8:2' 1 2 -- '<f8:2' 2 1
case_of cdo-diffn -- '<f8:1' 0 -- '<f8:1' 1e-12
case_of cdo-diffn -- '<f8:2' nan 1 -- '<f8:2' 3 1
case_of cdo-diffn -- '<f8:2' nan 1 -- '<f8:2' inf 1
echo '== numdiff'
case_of numdiff a=0.1 r=1e-3 -- '<f8:1' 1000.0 -- '<f8:1' 1000.5
case_of numdiff a=1 r=1e-9 -- '<f8:1' 1000.0 -- '<f8:1' 1000.5
case_of numdiff a=1 r=1e-9 strict=yes -- '<f8:1' 1000.0 -- '<f8:1' 1000.5
case_of numdiff a=0.1 -- '<f8:1' 1.0 -- '<f8:1' 1.1
echo '== JavaScript'
case_of jest-close -- '<f8:1' 1.01 -- '<f8:1' 1.005
case_of jest-close -- '<f8:1' inf -- '<f8:1' inf
case_of jest-close -- '<f8:1' nan -- '<f8:1' nan
case_of jest-equal -- '<f8:1' -0.0 -- '<f8:1' 0
case_of node-equal -- '<f8:1' -0.0 -- '<f8:1' 0
echo '== Python'
case_of math-isclose rel-tol=0.1 -- '<f8:1' 1.0 -- '<f8:1' 1.1
case_of pytest-approx rel=0.1 -- '<f8:1' 1.0 -- '<f8:1' 1.11
case_of pytest-approx rel=0 abs=0 -- '<i8:1' 9007199254740992 -- '<i8:1' 9007199254740993
case_of pytest-approx -- '<f8:1' nan -- '<f8:1' nan
echo '== a table: positions count, and a finding names the records'
rm old/* new/*
printf '[regild]\nlayout = plain\nroot = .\nfiles = *.csv\n[check "numpy"]\nmetric = *\nrule = numpy-allclose\nequal-nan = yes
[check "hdf"]\nmetric = *\nrule = h5diff\nd = 1\n' >.regild
printf 'name,v,w\na,1.5,1\nb,2.5,1\nc,nan,1\n' >old/order.csv
printf 'name,v,w\nb,2.5,1\na,1.5,1\nc,nan,1\n' >new/order.csv
printf 'name,v,w\na,1.5,2\nb,2.5,2\nc,nan,2\n' >old/lost.csv
printf 'name,v,w\na,1.5,2\n' >new/lost.csv
regild compare old new --columns file,metric,checks --csv -
try regild compare old new --fail-on check:hdf --columns file,metric,checks
echo '== more values than are read at a time, and more comparisons than numpy has memory for'
rm old/* new/*
printf '[regild]\nlayout = plain\nroot = .\nfiles = *.npy\n[check "numpy"]\nmetric = *\nrule = numpy-allclose\n' >.regild
array old/long.npy '<f8' 2000 {1..2000}
array new/long.npy '<f8' 2000 {1..1499} 1501 {1501..2000}
array old/wide.npy '<f8' 20000x1 {1..20000}
array new/wide.npy '<f8' 1x20000 {1..20000}
regild compare old new --columns file,checks --csv -
