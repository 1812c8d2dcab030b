/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_BASE64_H
#define REGILD_BASE_BASE64_H

#include "base/buf.h"

/* Appends the bytes in base64 (RFC 4648, with padding), in one line. */
void rg_base64_add(rg_buf *out, const unsigned char *bytes, size_t size);

/* Appends the bytes of such a text; RG_E_PARSE where it is none. */
RG_CHECKED rg_error *rg_base64_read(rg_buf *out, const char *text);

#endif
