/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"

/* Readers of libraries that this program was built without. */
#ifdef REGILD_WITHOUT_HDF5
const rg_binary_reader rg_reader_hdf5 = {
	.name = "hdf5", .format = "HDF5", .package = "libhdf5-103-1"};
#endif
