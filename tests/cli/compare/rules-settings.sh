# SPDX-License-Identifier: Apache-2.0
# The rule of a [check] says which keys it has, wherever they are written; what does not fit is named with the tool's version.
new_repository
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.5 10.5 10.5 -- num-zeros 100 100 100
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 10.5 10.6 NaN -- num-zeros 100 101 100
# own LINE…: in a check of its own.
own() {
	printf '[check "own"]\n\tmetric = *\n' >.regild
	printf '\t%s\n' "$@" >>.regild
	echo "== $*"
	try regild compare --columns metric,checks --csv -
}
own 'rule = numpy-allclose'
own 'rtol = 0.02' 'equal-nan = yes' 'rule = numpy-allclose'
own 'rule = cdo-diffn' 'abslim = 1'
own 'rule = megatron' 'rtol = 0.05'
own 'rule = NUMPY-ALLCLOSE'
own 'rule = numpy'
own 'rule ='
own 'rule = ../../etc/passwd'
own 'rule = h5diff' 'rtol = 0.1'
own 'rule = h5diff' 'd = -1'
own 'rule = h5diff' 'd = nan'
own 'rule = h5diff' 'd = 1e-3x'
own 'rule = h5diff' 'd = 1 %'
own 'rule = xarray' 'equal-nan = no'
own 'rule = octave-assert' 'tol = -1e-1'
own 'rule = numpy-allclose' 'steps = 1..2'
own 'rule = numpy-allclose' 'rtol = 0' 'atol = 0'
own 'rule = fitsdiff' '[check "own:num-zeros"]' 'r = 0.1'
own 'rule = fitsdiff' '[check "own:num-zeros"]' 'rule = h5diff'
