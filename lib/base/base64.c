/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <openssl/evp.h>
#include <string.h>

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

rg_error *rg_base64_read(rg_buf *out, const char *text)
{
	size_t left = strlen(text), padding = 0;
	unsigned char bytes[BLOCK];

	if (left % 4)
		return rg_error_new(RG_E_PARSE, "not base64: not a multiple of four characters");
	if (left)
		padding = (text[left - 1] == '=') + (size_t)(text[left - 2] == '=');
	while (left) {
		size_t part = left < BLOCK ? left : BLOCK;
		int size = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)part);

		if (size < 0)
			return rg_error_new(RG_E_PARSE, "not base64");
		text += part;
		left -= part;
		rg_buf_add(out, (const char *)bytes, (size_t)size - (left ? 0 : padding));
	}
	return rg_buf_check(out, "base64");
}
