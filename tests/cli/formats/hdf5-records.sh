# SPDX-License-Identifier: Apache-2.0
# NetCDF-4 has the metrics of the classic format: a variable with fewer records than its dimension goes on with its fill.
needs_binary HDF5
needs_binary NetCDF
cp -r "$REGILD_TOP/fixtures/hdf5/old" "$REGILD_TOP/fixtures/hdf5/new" .
regild textconv old/records.nc
diff <(regild textconv old/records.nc) <(regild textconv new/records.nc)
regild compare old/records.nc new/records.nc
