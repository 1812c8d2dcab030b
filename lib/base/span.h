/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SPAN_H
#define REGILD_BASE_SPAN_H

#include "base/digest.h"

#include <stdbool.h>

/* Is told that these bytes were read and will not be needed soon, as rg_map_forget. */
typedef void rg_forget_fn(const void *from, size_t size);

/* Bytes of any length, in memory or mapped: gone through piece by piece, each of which is forgotten
 * once it was read, so that gigabytes take little memory. */
typedef struct {
	const void *data;
	size_t size;
	rg_forget_fn *forget; /* NULL: nobody wants to know */
} rg_span;

RG_CHECKED rg_error *rg_span_sha256_hex(const rg_span *span, char out[static RG_SHA256_HEX]);
/* The place of the first byte that differs; the size of the shorter one where there is none. */
size_t rg_span_first_difference(const rg_span *a, const rg_span *b);
/* The same bytes, and as many? */
bool rg_span_equal(const rg_span *a, const rg_span *b);

#endif
