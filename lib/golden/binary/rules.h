/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_RULES_H
#define REGILD_GOLDEN_BINARY_RULES_H

#include "golden/binary/file.h"
#include "golden/convention.h"

/* Names and attributes that a file's writer gave its values say how these are meant. The rules
 * change the items of the file. */

/* Did NetCDF write the HDF5? */
bool rg_binary_is_netcdf4(const rg_binary_file *file);
/* NetCDF's conventions: masks, unsigned and packed numbers, and series along a coordinate or record
 * dimension. */
void rg_binary_netcdf_rules(rg_binary_file *file, rg_golden_builder *builder);
/* Exodus, a kind of NetCDF: results are called as the file says. */
RG_CHECKED rg_error *rg_binary_exodus_rules(rg_binary_file *file, rg_golden_builder *builder);
/* FITS's BLANK, BSCALE, BZERO (TNULLn, TSCALn, TZEROn) and the tiles of compressed images. */
void rg_binary_fits_rules(rg_binary_file *file);
/* NetCDF's fill of what was never written, an element in the host's byte order; NULL: the type has
 * none. */
const void *rg_binary_default_fill(rg_dtype dtype);
/* The numbers of a vector, if they are whole and ascend: the steps of what lies along it. Else
 * NULL. */
const int64_t *rg_binary_steps(rg_arena *arena, const rg_binary_item *item);
/* Appends "(2)" to the second path of several that are the same, groups left out. */
void rg_binary_tell_apart(rg_arena *arena, rg_binary_item *items, size_t count);
/* Replaces the matrix of numbers at that place, which is row-major, by its columns: series
 * GROUP/NAME along `steps`. Pointers to items hold no longer. */
RG_CHECKED rg_error *rg_binary_split(rg_binary_file *file, const char *group, size_t at,
				     const char *const *names, const int64_t *steps);
/* The layouts of pandas, PyTables and Octave in HDF5. */
RG_CHECKED rg_error *rg_binary_layouts(rg_binary_file *file);

#endif
