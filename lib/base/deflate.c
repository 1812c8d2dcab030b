/* SPDX-License-Identifier: Apache-2.0 */
#include "base/deflate.h"

#include "base/memory.h"

#include <stdlib.h>

#include <zlib.h>

void rg_deflate(rg_buf *out, const void *bytes, size_t size)
{
	uLongf length = compressBound(size);
	Bytef *made = rg_malloc(length);
	int status = compress2(made, &length, bytes, size, Z_BEST_COMPRESSION);
	if (status == Z_OK)
		rg_buf_add(out, made, length);
	free(made);
}
