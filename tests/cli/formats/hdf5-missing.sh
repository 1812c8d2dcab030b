# SPDX-License-Identifier: Apache-2.0
# Where a library is not installed, the golden is compared as a whole, and its package is named.
needs_binary HDF5
cp -r "$REGILD_TOP/fixtures/hdf5/old" "$REGILD_TOP/fixtures/hdf5/new" .
export REGILD_FAULT=fail:dlopen:1:EIO
try regild-faults compare old/types.h5 new/types.h5 2>said
sed 's|/[^ ]*/lib|LIBDIR/lib|' said
try regild-faults compare old/types.h5 old/types.h5 2>said
try regild-faults check old/types.h5 2>said | sed 's|/[^ ]*/lib|LIBDIR/lib|'
cat said
