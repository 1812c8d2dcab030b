# SPDX-License-Identifier: Apache-2.0
# Refreshes as MOOSE does it with Exodus files and an observatory with FITS: each has a result that moved.
needs_binary NetCDF
needs_binary FITS
new_repository
sed -n '/^\.Ss NetCDF/,/^\.Ss HDF5$/p' "$REGILD_TOP/man/regild-layouts.7" |
	sed -n '/^\[source/,/^\.Ed$/p' | grep -v '^\.' >.regild
made() {
	mkdir -p "$2" "$3"
	cp "$REGILD_TOP/fixtures/$1" "$2"
	cp "$REGILD_TOP/fixtures/${1/old/new}" "$3"
}
made netcdf/old/cube.e test/gold ../run/results-linux/test/gold
made fits/old/table.fits tests/data/m31 ../run/images-linux/m31
commit
regild refresh --from ../run --allow shrink
