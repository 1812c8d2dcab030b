/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <openssl/evp.h>

enum { BLOCK = 3 * 256 }; /* three bytes are four characters */

void rg_base64_add(rg_buf *out, const unsigned char *bytes, size_t size)
{
	unsigned char text[BLOCK / 3 * 4 + 1];
	while (size) {
		size_t part = size < BLOCK ? size : BLOCK;
		rg_buf_add(out, (const char *)text,
			   (size_t)EVP_EncodeBlock(text, bytes, (int)part));
		bytes += part;
		size -= part;
	}
}
