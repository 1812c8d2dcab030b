/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_LFS_H
#define REGILD_BASE_LFS_H

#include "base/digest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this a Git LFS pointer (git-lfs docs/spec.md)? Large goldens are kept like that, and are in
 * the tree as a pointer where git-lfs is not installed, and always in git's objects. */
bool rg_lfs_is_pointer(const void *bytes, size_t size);

/* Reads the SHA-256 and size that it stands for. False if it is not a whole pointer. */
bool rg_lfs_pointer_parse(const void *bytes, size_t size, char oid[static RG_SHA256_HEX],
			  uint64_t *length);

/* Is it one to these very bytes? */
RG_CHECKED rg_error *rg_lfs_points_to(const void *pointer, size_t pointer_size, const void *bytes,
				      size_t size, bool *out);

/* RG_E_PARSE with advice for a pointer, which no format is asked to read. */
RG_CHECKED rg_error *rg_lfs_refuse_pointer(const void *bytes, size_t size);

#endif
