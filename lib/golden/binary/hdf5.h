/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_HDF5_H
#define REGILD_GOLDEN_BINARY_HDF5_H

#include "golden/binary/wire.h"

/* Newer headers give the functions of 1.10 by their names there. */
#define H5_USE_110_API 1
#include <hdf5.h>
/* Its constants call the library before each use. */
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

/* libhdf5, loaded in a child alone: hdf5.H5Dread(...). It is silent and loads
 * nothing else. */
/* clang-format off */
#define RG_HDF5_FUNCTIONS(X) \
	X(H5Aclose) X(H5Aget_space) X(H5Aget_type) X(H5Aiterate2) X(H5Aopen) X(H5Aread) \
	X(H5Dget_create_plist) X(H5Dget_offset) X(H5Dget_space) X(H5Dget_space_status) \
	X(H5Dget_type) X(H5Dread) X(H5Dvlen_reclaim) X(H5Eset_auto2) X(H5Fclose) X(H5Fopen) \
	X(H5Lget_val) X(H5Literate) X(H5Lunpack_elink_val) X(H5Oclose) X(H5Oget_info) X(H5Oopen) \
	X(H5Pclose) X(H5Pcreate) X(H5Pget_chunk) X(H5Pget_external_count) X(H5Pget_filter2) \
	X(H5Pget_layout) X(H5Pget_nfilters) X(H5PLset_loading_state) X(H5Pset_cache) X(H5Pset_fapl_core) \
	X(H5Pset_file_image) X(H5Pset_file_image_callbacks) X(H5Rget_name) X(H5Rget_region) \
	X(H5Sclose) X(H5Screate_simple) X(H5Sget_select_bounds) X(H5Sget_simple_extent_dims) \
	X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_type) X(H5Sselect_hyperslab) \
	X(H5Tarray_create2) X(H5Tclose) X(H5Tcopy) X(H5Tcreate) X(H5Tenum_nameof) X(H5Tequal) \
	X(H5Tget_array_dims2) X(H5Tget_array_ndims) X(H5Tget_class) X(H5Tget_fields) \
	X(H5Tget_member_class) X(H5Tget_member_index) X(H5Tget_member_name) X(H5Tget_member_offset) \
	X(H5Tget_member_type) X(H5Tget_native_type) X(H5Tget_nmembers) X(H5Tget_order) \
	X(H5Tget_sign) X(H5Tget_size) X(H5Tget_strpad) X(H5Tget_super) X(H5Tinsert) \
	X(H5Tis_variable_str) X(H5Tset_order) X(H5Zfilter_avail) X(H5dont_atexit) \
	X(H5free_memory) X(H5open)
/* The library fills in its numbers of classes when it opens. */
#define RG_HDF5_VARIABLES(X) X(H5P_CLS_FILE_ACCESS_ID_g)
/* clang-format on */

/* A declaration takes no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
typedef struct {
#define RG_MEMBER(name) __typeof__(name) *name;
	RG_HDF5_FUNCTIONS(RG_MEMBER)
	RG_HDF5_VARIABLES(RG_MEMBER)
#undef RG_MEMBER
} rg_hdf5_functions;
/* NOLINTEND(bugprone-macro-parentheses) */

extern rg_hdf5_functions hdf5;

/* Writes the items of a dataset or an attribute, one for each field of its elements: PATH, or
 * PATH.FIELD. What cannot be read is an item that says why. */
void rg_hdf5_dataset(rg_wire *wire, hid_t dataset, const char *path);
bool rg_hdf5_has_fields(hid_t dataset);
void rg_hdf5_attribute(rg_wire *wire, hid_t attribute, const char *name);

#endif
