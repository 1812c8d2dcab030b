# SPDX-License-Identifier: Apache-2.0
# Classic NetCDF, as netCDF4, xarray and ncgen write it: masks, packing, whole numbers, records, texts and Exodus.
needs_binary NetCDF
cp -r "$REGILD_TOP/fixtures/netcdf/old" "$REGILD_TOP/fixtures/netcdf/new" .
for golden in climate.nc whole.nc masks.nc records.nc cube.e; do
	echo "== $golden"
	regild textconv old/$golden
	try regild compare --top 0 old/$golden new/$golden
done
echo "== another order of variables"
regild compare old/xarray.nc new/xarray.nc
echo "== cut off"
head -c 400 old/climate.nc >cut.nc
try regild check cut.nc
echo "== a dimension renamed"
sed s/three/third/ old/records.nc >third.nc
try regild compare old/records.nc third.nc
