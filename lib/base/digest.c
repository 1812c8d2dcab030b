/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"

#include <openssl/evp.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static rg_error *library_failed(void)
{
	return rg_error_new(RG_E_IO, "libcrypto could not compute a SHA-256");
}

rg_error *rg_sha256_new(rg_sha256 **out)
{
	RG_AUTO_PTR(rg_sha256) hash = EVP_MD_CTX_new();
	*out = NULL;
	if (!hash || !EVP_DigestInit_ex(hash, EVP_sha256(), NULL))
		return library_failed();
	*out = RG_TAKE(hash);
	return NULL;
}

rg_error *rg_sha256_add(rg_sha256 *hash, const void *bytes, size_t length)
{
	return EVP_DigestUpdate(hash, bytes, length) ? NULL : library_failed();
}

static void write_hex(char out[static RG_SHA256_HEX],
		      const unsigned char raw[static RG_SHA256_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < RG_SHA256_SIZE; i++) {
		out[2 * i] = digits[raw[i] >> 4];
		out[2 * i + 1] = digits[raw[i] & 15];
	}
	out[2 * i] = '\0';
}

rg_error *rg_sha256_finish(rg_sha256 *hash, char out[static RG_SHA256_HEX])
{
	unsigned char raw[EVP_MAX_MD_SIZE];
	unsigned length = 0;

	if (!EVP_DigestFinal_ex(hash, raw, &length) || length != RG_SHA256_SIZE)
		return library_failed();
	write_hex(out, raw);
	return NULL;
}

void rg_sha256_free(rg_sha256 *hash)
{
	EVP_MD_CTX_free(hash);
}

rg_error *rg_sha256_raw(const void *bytes, size_t length, unsigned char out[static RG_SHA256_SIZE])
{
	return EVP_Digest(bytes, length, out, NULL, EVP_sha256(), NULL) ? NULL : library_failed();
}

rg_error *rg_sha256_hex(const void *bytes, size_t length, char out[static RG_SHA256_HEX])
{
	unsigned char raw[RG_SHA256_SIZE];
	RG_TRY(rg_sha256_raw(bytes, length, raw));
	write_hex(out, raw);
	return NULL;
}

rg_error *rg_digest_check(const char *expected, const char got[static RG_SHA256_HEX],
			  uint64_t bytes)
{
	static const char prefix[] = "sha256:";
	const char *hex = expected + sizeof(prefix) - 1;

	if (strncmp(expected, prefix, sizeof(prefix) - 1) || strlen(hex) != RG_SHA256_HEX - 1 ||
	    strspn(hex, "0123456789abcdefABCDEF") != RG_SHA256_HEX - 1)
		return rg_error_new(RG_E_PARSE, "'%s' is not a SHA-256 digest", expected);
	if (!strcasecmp(hex, got))
		return NULL;
	return rg_error_new(RG_E_MISMATCH,
			    "its digest is %s, but the %" PRIu64 " bytes that came have sha256:%s",
			    expected, bytes, got);
}
