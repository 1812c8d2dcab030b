# SPDX-License-Identifier: Apache-2.0
# HDF5 is read dataset by dataset, as h5py, PyTables and pandas write it: what each type, link, layout and attribute is.
needs_binary HDF5
cp -r "$REGILD_TOP/fixtures/hdf5/old" "$REGILD_TOP/fixtures/hdf5/new" .
for golden in types tables pandas octave; do
	echo "== $golden"
	regild textconv old/$golden.h5
	try regild compare --top 0 old/$golden.h5 new/$golden.h5
done
echo "== storage"
regild textconv old/storage.h5 | grep -v '^/packed'
try regild check old/storage.h5
echo "== formatting"
regild compare old/formatting.h5 new/formatting.h5
