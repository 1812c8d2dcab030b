# SPDX-License-Identifier: Apache-2.0
# h5diff compares no integers with floats, and no unsigned ones with others: it exits 0, whatever the values are. A
# dataset that became another type passes with all its values wrong. Two sizes of one class are compared.
. "$(dirname "$0")/lib.sh"
debian hdf5-tools=1.10.8+repack1-1 netcdf-bin=1:4.9.0-3+b1
make_file() { # NAME TYPE VALUES
	echo "netcdf x { dimensions: t = 2; variables: $2 x(t); data: x = $3; }" >x.cdl
	ncgen -k nc4 -o "$1" x.cdl
}
compare() { # TYPE TYPE
	make_file old.nc "$1" '1, 2'
	make_file new.nc "$2" '7, 8'
	h5diff -q old.nc new.nc /x
}
expect '' compare double int64
expect '' compare uint int
expect ' exit 1' compare int int64
expect ' exit 1' compare double float
