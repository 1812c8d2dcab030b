/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_RULES_H
#define REGILD_GOLDEN_BINARY_RULES_H

#include "golden/binary/file.h"
#include "golden/convention.h"

/* Names and attributes that a file's writer gave its values say how these are meant. The rules
 * change the items of the file. */

/* NetCDF's conventions: masks, unsigned and packed numbers, dimensions that are no variables, and
 * series along a coordinate or record dimension. Files of other writers than NetCDF's stay as they
 * are; `is_netcdf` is true of a classic one, and found out about HDF5. */
void rg_binary_netcdf_rules(rg_binary_file *file, rg_golden_builder *builder, bool is_netcdf);
/* Exodus, a kind of NetCDF: results are called as the file says. */
RG_CHECKED rg_error *rg_binary_exodus_rules(rg_binary_file *file, rg_golden_builder *builder);
/* FITS's BLANK, BSCALE, BZERO (TNULLn, TSCALn, TZEROn) and the tiles of compressed images. */
void rg_binary_fits_rules(rg_binary_file *file);
/* NetCDF's fill of what was never written; false: the type has none. */
bool rg_binary_default_fill(rg_element *out, rg_dtype dtype);
/* The layouts of pandas, PyTables and Octave in HDF5. */
RG_CHECKED rg_error *rg_binary_layouts(rg_binary_file *file);

#endif
