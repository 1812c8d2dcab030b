/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HUB_KEPT_H
#define HUB_KEPT_H

#include "base/digest.h"

#include <stdbool.h>

/*
 * The bytes of artifacts with megabytes of filler, in the folder HUB_BODIES (without it: nothing is
 * kept). Making them takes most of a start, and tests start hundreds of hubs with the same ones. A
 * file has the digest and the bytes.
 */

/* Maps what `key` stands for. *bytes is never freed; RG_SHA256_HEX - 1 characters before it is its
 * digest. */
bool kept_take(unsigned char **bytes, size_t *length, const char key[static RG_SHA256_HEX]);
/* Bytes that cannot be written are not kept. */
void kept_put(const void *bytes, size_t length, const char key[static RG_SHA256_HEX]);

#endif
