/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_DEFLATE_H
#define REGILD_BASE_DEFLATE_H

#include "base/buf.h"

/* Appends the bytes as a zlib stream (RFC 1950), as small as zlib makes it. */
void rg_deflate(rg_buf *out, const void *bytes, size_t size);

#endif
