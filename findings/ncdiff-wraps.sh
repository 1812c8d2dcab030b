# SPDX-License-Identifier: Apache-2.0
# ncdiff subtracts in the type of the variable, and exits 0: 32767 - -1 of shorts is -32768, and 254
# - 255 of unsigned bytes is 255. A variable without the dimension is subtracted from each value.
# ncwa's mean of the ints 1, 2, 2 is the int 2.
. "$(dirname "$0")/lib.sh"
debian nco=5.1.4-1+deb12u1 netcdf-bin=1:4.9.0-3+b1
make_file() { # NAME DATA...
	{
		echo 'netcdf x { dimensions: t = 3; variables:'
		printf '%s\n' "${@:2}"
		echo '}'
	} >x.cdl
	ncgen -k nc4 -o "$1" x.cdl
}
values() { ncdump "$1" | sed -n 's/^ \([a-z]* = .*\) ;$/\1/p'; }
make_file a.nc 'short s(t); ubyte u(t); double d(t);' 'data: s = 32767, 1, 2; u = 255, 254, 1; d = 1, 2, 3;'
make_file b.nc 'short s(t); ubyte u(t); double d;' 'data: s = -1, 1, 2; u = 1, 255, 1; d = 1;'
difference() { ncdiff "$1" "$2" difference.nc && values difference.nc; }
expect $'d = 0, 1, 2\ns = -32768, 0, 0\nu = 254, 255, 0' difference a.nc b.nc
make_file i.nc 'int i(t);' 'data: i = 1, 2, 2;'
mean() { ncwa -a t "$1" mean.nc && values mean.nc; }
expect 'i = 2' mean i.nc
