# SPDX-License-Identifier: Apache-2.0
# ncdump prints _ for a value that is the default fill value of its type, though the variable has no
# attribute _FillValue and the value was written: 4294967295 in a uint, -2147483647 in an int,
# -32767 in a short. -127 in a byte, the default of that type, is printed. To a program that reads
# the file, all of them are values.
. "$(dirname "$0")/lib.sh"
debian netcdf-bin=1:4.9.0-3+b1 libnetcdf19=1:4.9.0-3+b1
dump() { # TYPE VALUE
	echo "netcdf x { variables: $1 x; data: x = $2; }" >x.cdl
	ncgen -k nc4 -o x.nc x.cdl
	ncdump x.nc | sed -n 's/^ x = \(.*\) ;$/\1/p'
}
expect '_' dump uint 4294967295u
expect '_' dump int -2147483647
expect '-2147483648' dump int -2147483648
expect '_' dump short -32767
expect '-127' dump byte -127
