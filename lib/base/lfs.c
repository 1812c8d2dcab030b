/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lfs.h"

#include "base/number.h"

#include <string.h>

bool rg_lfs_is_pointer(const void *bytes, size_t size)
{
	static const char line[] = "version https://git-lfs.github.com/spec/";
	return size < 1024 && size > sizeof(line) && !memcmp(bytes, line, sizeof(line) - 1);
}

bool rg_lfs_pointer_parse(const void *bytes, size_t size, char oid[static RG_SHA256_HEX],
			  uint64_t *length)
{
	static const char before[] = "\noid sha256:", between[] = "\nsize ";
	char text[1024];

	if (!rg_lfs_is_pointer(bytes, size))
		return false;
	memcpy(text, bytes, size);
	text[size] = '\0';
	const char *at = strstr(text, before);
	if (!at)
		return false;
	at += sizeof(before) - 1;
	if (strspn(at, "0123456789abcdef") != RG_SHA256_HEX - 1)
		return false;
	memcpy(oid, at, RG_SHA256_HEX - 1);
	oid[RG_SHA256_HEX - 1] = '\0';
	at += RG_SHA256_HEX - 1;
	if (strncmp(at, between, sizeof(between) - 1) != 0)
		return false;
	at += sizeof(between) - 1;
	const size_t digits = strcspn(at, "\n");
	return at[digits] && rg_uint64_parse(at, digits, length); /* not cut off */
}

rg_error *rg_lfs_points_to(const void *pointer, size_t pointer_size, const void *bytes, size_t size,
			   bool *out)
{
	char sha256[RG_SHA256_HEX], oid[RG_SHA256_HEX];
	uint64_t length;
	*out = false;
	if (!rg_lfs_pointer_parse(pointer, pointer_size, oid, &length) || length != size)
		return NULL;
	RG_TRY(rg_sha256_hex(bytes, size, sha256));
	*out = !strcmp(oid, sha256);
	return NULL;
}

rg_error *rg_lfs_refuse_pointer(const void *bytes, size_t size)
{
	if (!rg_lfs_is_pointer(bytes, size))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "a Git LFS pointer, not the file itself; 'git lfs pull' fetches it");
}
