# SPDX-License-Identifier: Apache-2.0
# cdo infon: a NaN that is no missing value hides the values in front of it. The minimum of 1, NaN,
# 3 is 3, and that of 3, NaN, 1 is 1. Only the mean says that there is a NaN. With _FillValue = NaN,
# one value is missing and the minimum is 1.
. "$(dirname "$0")/lib.sh"
debian cdo=2.1.1-1+deb12u1 netcdf-bin=1:4.9.0-3+b1
range() { # VALUES ATTRIBUTE
	echo "netcdf x { dimensions: t = 3; variables: float x(t); $2 data: x = $1; }" >x.cdl
	ncgen -o x.nc x.cdl
	cdo -s infon x.nc | awk 'NR == 2 { print "missing", $7, "minimum", $9, "mean", $10, "maximum", $11 }'
}
expect 'missing 0 minimum 3.0000 mean nan maximum 3.0000' range '1, NaNf, 3' ''
expect 'missing 0 minimum 1.0000 mean nan maximum 1.0000' range '3, NaNf, 1' ''
expect 'missing 1 minimum 1.0000 mean 2.0000 maximum 3.0000' range '1, NaNf, 3' 'x:_FillValue = NaNf;'
