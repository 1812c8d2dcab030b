# SPDX-License-Identifier: Apache-2.0
# ncgen makes a file of numbers that do not fit, without a word: they wrap around or lose their
# fraction. A zero in front makes them octal, and 08, which is no octal number, becomes 0. A CDL
# golden that was edited by hand can be another one.
. "$(dirname "$0")/lib.sh"
debian netcdf-bin=1:4.9.0-3+b1 libnetcdf19=1:4.9.0-3+b1
value() { # TYPE LITERAL
	echo "netcdf x { variables: $1 x; data: x = $2; }" >x.cdl
	ncgen -k nc4 -o x.nc x.cdl
	ncdump x.nc | sed -n 's/^ x = \(.*\) ;$/\1/p'
}
expect '-1294967296' value int 3000000000
expect '-56' value byte 200
expect '44' value ubyte 300
expect '1' value int 1.7
expect '15' value int 017
expect '0' value int 08
