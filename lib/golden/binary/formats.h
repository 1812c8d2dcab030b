/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_FORMATS_H
#define REGILD_GOLDEN_BINARY_FORMATS_H

#include "golden/format.h"

/* The formats of the sciences, each read by its own library in a child (golden/binary/child.h). */
extern const rg_format rg_format_hdf5, rg_format_netcdf, rg_format_fits;

/* The life of the child that reads for the reader of that name; returns only if there is none. */
void rg_binary_serve(const char *reader);

#endif
