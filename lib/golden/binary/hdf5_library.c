/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/hdf5_library.h"

#include "base/library.h"

rg_hdf5_functions hdf5;

/* A name may be a macro for that of a version. */
#define RG_TEXT(name) #name
#define RG_NAME(name) RG_TEXT(name),
static const char *const names[] = {RG_HDF5_FUNCTIONS(RG_NAME) RG_HDF5_VARIABLES(RG_NAME)};

rg_error *rg_hdf5_load(void)
{
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libhdf5-103-1",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &hdf5};
	RG_TRY(rg_library_load(&library));
	hdf5.H5dont_atexit();
	if (hdf5.H5open() < 0 || hdf5.H5PLset_loading_state(0) < 0)
		return rg_error_new(RG_E_IO, "libhdf5 does not start");
	hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	return NULL;
}
