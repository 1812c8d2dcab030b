/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opaque_row.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

/* git looks no further either. */
enum { PROBE_BYTES = 8000 };

/* The size that a PNG's header promises; its other bytes are not looked at. */
static void measure_picture(rg_opaque_side *side, const unsigned char *bytes, size_t size)
{
	static const char start[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
	const size_t header = sizeof(start) - 1;

	if (size < header + 8 || memcmp(bytes, start, header) != 0)
		return;
	side->kind = RG_OPAQUE_PNG;
	side->width = rg_be32(bytes + header);
	side->height = rg_be32(bytes + header + 4);
}

static rg_span span_of(const rg_golden *opaque)
{
	return (rg_span){opaque->metrics->text, opaque->metrics->count, opaque->forget};
}

static rg_error *fill_side(rg_opaque_side *side, rg_arena *arena, const rg_golden *golden)
{
	const rg_metric *file = golden->metrics;
	rg_span whole;
	size_t probed;

	side->format = golden->format;
	if (!rg_golden_is_opaque(golden)) {
		side->kind = RG_OPAQUE_READABLE;
		side->metrics = golden->count;
		return NULL;
	}
	whole = span_of(golden);
	probed = file->count < PROBE_BYTES ? file->count : PROBE_BYTES;
	side->size = file->count;
	side->kind = probed && memchr(file->text, '\0', probed) ? RG_OPAQUE_BYTES : RG_OPAQUE_TEXT;
	measure_picture(side, (const unsigned char *)file->text, file->count);
	if (golden->why_opaque)
		RG_TRY(rg_arena_text(arena, golden->why_opaque, &side->why));
	return rg_span_sha256_hex(&whole, side->sha256);
}

/* "PNG 640x480, 1234 bytes, 3f2a9c01", "json, 3 metrics" */
static rg_error *say_side(const rg_opaque_side *side, rg_arena *arena, const char **out)
{
	char text[128], picture[48] = "";

	if (side->kind == RG_OPAQUE_PNG)
		snprintf(picture, sizeof(picture), "PNG %ux%u, ", (unsigned)side->width,
			 (unsigned)side->height);
	if (side->kind == RG_OPAQUE_READABLE)
		snprintf(text, sizeof(text), "%s, %zu metric%s", side->format, side->metrics,
			 side->metrics == 1 ? "" : "s");
	else
		snprintf(text, sizeof(text), "%s%zu byte%s, %.8s", picture, side->size,
			 side->size == 1 ? "" : "s", side->sha256);
	return rg_arena_text(arena, text, out);
}

rg_error *rg_opaque_row_fill(rg_row *row, rg_arena *arena, const rg_golden *old,
			     const rg_golden *fresh)
{
	rg_opaque *opaque;

	if (rg_golden_is_opaque(old) && rg_golden_is_opaque(fresh)) {
		const rg_span a = span_of(old), b = span_of(fresh);
		const size_t at = rg_span_first_difference(&a, &b);

		row->old_count = a.size;
		row->new_count = b.size;
		row->identical = a.size == b.size && at == a.size;
		row->first_diff_known = !row->identical;
		if (row->first_diff_known)
			row->first_diff = (int64_t)at;
	}
	opaque = rg_arena_alloc(arena, sizeof(*opaque));
	if (!opaque)
		return rg_error_nomem();
	*opaque = (rg_opaque){0};
	row->opaque = opaque;
	if (row->identical)
		return NULL;
	row->reshaped = !rg_golden_is_opaque(old);
	RG_TRY(fill_side(&opaque->old, arena, old));
	RG_TRY(fill_side(&opaque->fresh, arena, fresh));
	RG_TRY(say_side(&opaque->old, arena, &row->old_excerpt));
	return say_side(&opaque->fresh, arena, &row->new_excerpt);
}
