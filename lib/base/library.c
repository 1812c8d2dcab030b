/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"

#include "base/thread.h"

#include <dlfcn.h>
#include <string.h>

static rg_error *failure(const rg_library *library)
{
	const char *why = dlerror();
	return rg_error_new(RG_E_IO, "this needs Debian's package %s or its like: %s",
			    library->package, why ? why : library->path);
}

rg_error *rg_library_load(rg_library *library)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	RG_LOCKED(&lock);
	if (library->loaded)
		return NULL;
	void *handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return failure(library);
	for (size_t i = 0; i < library->count; i++) {
		void *function = dlsym(handle, library->names[i]);
		if (!function)
			return failure(library);
		/* C has no conversion to a pointer to a function; POSIX says that it is the same.
		 */
		memcpy((char *)library->functions + i * sizeof(function), &function,
		       sizeof(function));
	}
	library->loaded = true;
	return NULL;
}
