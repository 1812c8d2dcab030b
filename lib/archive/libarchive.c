/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/libarchive.h"

#ifdef REGILD_STATIC

#define RG_FUNCTION(name) .name = name,
rg_libarchive_functions libarchive = {RG_LIBARCHIVE_FUNCTIONS(RG_FUNCTION)};

rg_error *rg_libarchive_load(void)
{
	return NULL;
}

#else

#include "base/library.h"

rg_libarchive_functions libarchive;

#define RG_NAME(name) #name,
static const char *const names[] = {RG_LIBARCHIVE_FUNCTIONS(RG_NAME)};

rg_error *rg_libarchive_load(void)
{
	static rg_library library = {.path = REGILD_LIBARCHIVE,
				     .package = "libarchive13",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &libarchive};

	return rg_library_load(&library);
}

#endif
