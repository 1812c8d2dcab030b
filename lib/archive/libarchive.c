/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/libarchive.h"

#include "base/library.h"

rg_libarchive_functions rg_libarchive;

#define RG_NAME(name) #name,
static const char *const names[] = {RG_LIBARCHIVE_FUNCTIONS(RG_NAME)};

rg_error *rg_libarchive_load(void)
{
	static rg_library library = {.path = REGILD_LIBARCHIVE,
				     .package = "libarchive13",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &rg_libarchive};

	return rg_library_load(&library);
}
