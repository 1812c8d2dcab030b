/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/lfs.h"

#include "base/digest.h"

#include <stdio.h>
#include <string.h>

bool rg_lfs_is_pointer(const void *bytes, size_t size)
{
	static const char line[] = "version https://git-lfs.github.com/spec/";
	return size < 1024 && size > sizeof(line) && !memcmp(bytes, line, sizeof(line) - 1);
}

rg_error *rg_lfs_points_to(const void *pointer, size_t pointer_size, const void *bytes, size_t size,
			   bool *out)
{
	char sha256[RG_SHA256_HEX], lines[RG_SHA256_HEX + 64], text[1024];
	*out = false;
	if (!rg_lfs_is_pointer(pointer, pointer_size))
		return NULL;
	memcpy(text, pointer, pointer_size);
	text[pointer_size] = '\0';
	RG_TRY(rg_sha256_hex(bytes, size, sha256));
	snprintf(lines, sizeof(lines), "\noid sha256:%s\nsize %zu\n", sha256, size);
	*out = strstr(text, lines) != NULL;
	return NULL;
}

rg_error *rg_lfs_refuse_pointer(const void *bytes, size_t size)
{
	if (!rg_lfs_is_pointer(bytes, size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git lfs pull' fetches it");
}
