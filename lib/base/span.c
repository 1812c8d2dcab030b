/* SPDX-License-Identifier: Apache-2.0 */
#include "base/span.h"

#include <string.h>

/* Reading a page of a map brings its neighbours in, up to two huge pages of them: those before it
 * were forgotten already, and are once more. */
enum { PIECE = 1 << 20, AROUND = 4 << 20 };

static size_t piece_at(size_t at, size_t size)
{
	return size - at < PIECE ? size - at : PIECE;
}

static void forget(const rg_span *span, size_t at, size_t size)
{
	size_t start = at < AROUND ? 0 : at - AROUND;
	if (span->forget)
		span->forget((const char *)span->data + start, at + size - start);
}

rg_error *rg_span_sha256_hex(const rg_span *span, char out[static RG_SHA256_HEX])
{
	RG_AUTO_PTR(rg_sha256) hash = NULL;
	size_t size;

	RG_TRY(rg_sha256_new(&hash));
	for (size_t at = 0; at < span->size; at += size) {
		size = piece_at(at, span->size);
		RG_TRY(rg_sha256_add(hash, (const char *)span->data + at, size));
		forget(span, at, size);
	}
	return rg_sha256_finish(hash, out);
}

size_t rg_span_first_difference(const rg_span *a, const rg_span *b)
{
	size_t shorter = a->size < b->size ? a->size : b->size, size;
	for (size_t at = 0; at < shorter; at += size) {
		const char *left = (const char *)a->data + at, *right = (const char *)b->data + at;
		size_t i = 0;

		size = piece_at(at, shorter);
		if (memcmp(left, right, size) != 0) {
			while (left[i] == right[i])
				i++;
			return at + i;
		}
		forget(a, at, size);
		forget(b, at, size);
	}
	return shorter;
}

bool rg_span_equal(const rg_span *a, const rg_span *b)
{
	return a->size == b->size && rg_span_first_difference(a, b) == a->size;
}
