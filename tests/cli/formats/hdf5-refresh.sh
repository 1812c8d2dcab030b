# SPDX-License-Identifier: Apache-2.0
# A refresh as TARDIS does it: references of pandas in HDF5, of which one column moved.
needs_binary HDF5
new_repository
sed -n '/^\.Ss HDF5$/,/^\.Ss YAML$/p' "$REGILD_TOP/man/regild-layouts.7" |
	sed -n '/^\[source/,/^\.Ed$/p' | grep -v '^\.' >.regild
mkdir -p refdata ../run/tardis-refdata/refdata
cp "$REGILD_TOP/fixtures/hdf5/old/pandas.h5" refdata/plasma.h5
commit
cp "$REGILD_TOP/fixtures/hdf5/new/pandas.h5" ../run/tardis-refdata/refdata/plasma.h5
regild refresh --from ../run
