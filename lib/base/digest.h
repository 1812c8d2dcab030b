#ifndef REGILD_BASE_DIGEST_H
#define REGILD_BASE_DIGEST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4) by OpenSSL's libcrypto, as lower-case hexadecimal. */
#define RG_SHA256_HEX 65 /* with the NUL */

typedef struct rg_sha256 rg_sha256;

RG_CHECKED rg_error *rg_sha256_new(rg_sha256 **out);
RG_CHECKED rg_error *rg_sha256_add(rg_sha256 *hash, const void *bytes, size_t length);
RG_CHECKED rg_error *rg_sha256_finish(rg_sha256 *hash, char out[static RG_SHA256_HEX]);
void rg_sha256_free(rg_sha256 *hash);

/* The whole in one call. */
RG_CHECKED rg_error *rg_sha256_hex(const void *bytes, size_t length,
				   char out[static RG_SHA256_HEX]);

#endif
