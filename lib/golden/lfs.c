#include "golden/lfs.h"

#include <string.h>

bool rg_lfs_is_pointer(const void *bytes, size_t size)
{
	static const char line[] = "version https://git-lfs.github.com/spec/";

	return size < 1024 && size > sizeof(line) && !memcmp(bytes, line, sizeof(line) - 1);
}

rg_error *rg_lfs_refuse_pointer(const void *bytes, size_t size)
{
	if (!rg_lfs_is_pointer(bytes, size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git lfs pull' fetches it");
}
