/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_DIGEST_H
#define REGILD_BASE_DIGEST_H

#include "base/cleanup.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4) by OpenSSL's libcrypto, as lower-case hexadecimal. */
#define RG_SHA256_SIZE 32 /* of the bytes that it stands for */
#define RG_SHA256_HEX  65 /* with the NUL */

/* OpenSSL's EVP_MD_CTX. */
typedef struct evp_md_ctx_st rg_sha256;

RG_CHECKED rg_error *rg_sha256_new(rg_sha256 **out);
RG_CHECKED rg_error *rg_sha256_add(rg_sha256 *hash, const void *bytes, size_t length);
RG_CHECKED rg_error *rg_sha256_finish(rg_sha256 *hash, char out[static RG_SHA256_HEX]);
void rg_sha256_free(rg_sha256 *hash);
RG_FREE_AT(rg_sha256)

/* The whole in one call. */
RG_CHECKED rg_error *rg_sha256_hex(const void *bytes, size_t length,
				   char out[static RG_SHA256_HEX]);
RG_CHECKED rg_error *rg_sha256_raw(const void *bytes, size_t length,
				   unsigned char out[static RG_SHA256_SIZE]);

/*
 * Compares what came with what was promised: `expected` is "sha256:HEX" as GitHub writes an
 * artifact's digest. RG_E_MISMATCH names both values and `bytes`, the count of what came;
 * RG_E_PARSE if `expected` is not such a text.
 */
RG_CHECKED rg_error *rg_digest_check(const char *expected, const char got[static RG_SHA256_HEX],
				     uint64_t bytes);

#endif
