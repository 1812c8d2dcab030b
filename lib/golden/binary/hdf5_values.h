/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_HDF5_VALUES_H
#define REGILD_GOLDEN_BINARY_HDF5_VALUES_H

#include "golden/binary/hdf5_library.h"
#include "golden/binary/wire.h"

/* Writes the items of a dataset or an attribute, one for each field of its elements: PATH, or
 * PATH.FIELD. What cannot be read is an item that says why. */
void rg_hdf5_dataset(rg_wire *wire, hid_t dataset, const char *path);
bool rg_hdf5_has_fields(hid_t dataset);
void rg_hdf5_attribute(rg_wire *wire, hid_t attribute, const char *name);

#endif
