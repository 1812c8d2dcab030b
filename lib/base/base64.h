/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_BASE64_H
#define REGILD_BASE_BASE64_H

#include "base/buf.h"

/* Appends the bytes in base64 (RFC 4648, with padding), in one line. */
void rg_base64_add(rg_buf *out, const unsigned char *bytes, size_t size);

#endif
