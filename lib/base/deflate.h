/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_DEFLATE_H
#define REGILD_BASE_DEFLATE_H

#include "base/buf.h"

#include <zlib.h>

/* A zlib stream (RFC 1950), as small as zlib makes it, of bytes as they come: begin, add, end. */
typedef struct {
	z_stream stream;
	rg_buf *out;
} rg_deflater;

void rg_deflate_begin(rg_deflater *deflater, rg_buf *out);
/* An rg_buf_drain's; no failure is its own. */
rg_error *rg_deflate_add(void *deflater, const void *bytes, size_t size);
void rg_deflate_end(rg_deflater *deflater);

#endif
