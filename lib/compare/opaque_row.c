/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opaque_row.h"

#include "base/bytes.h"

#include <stdio.h>
#include <string.h>

/* git looks no further either. */
enum { PROBE_BYTES = 8000 };

static rg_error *describe_side(rg_opaque_side *side, rg_arena *arena, const rg_golden *golden)
{
	static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
	const size_t header = sizeof(png) - 1;

	if (!golden) {
		side->kind = RG_OPAQUE_ABSENT;
		return NULL;
	}
	const rg_metric *file = golden->metrics;
	side->format = golden->format;
	if (!rg_golden_is_opaque(golden)) {
		side->kind = RG_OPAQUE_READABLE;
		side->metrics = golden->count;
		return NULL;
	}
	const unsigned char *bytes = (const unsigned char *)file->text;
	size_t probed = file->count < PROBE_BYTES ? file->count : PROBE_BYTES;
	side->size = file->count;
	side->kind = probed && memchr(bytes, '\0', probed) ? RG_OPAQUE_BYTES : RG_OPAQUE_TEXT;
	/* A PNG's header promises a size; its other bytes are not looked at. */
	if (file->count >= header + 8 && !memcmp(bytes, png, header)) {
		side->kind = RG_OPAQUE_PNG;
		side->width = rg_be32(bytes + header);
		side->height = rg_be32(bytes + header + 4);
	}
	if (golden->why_opaque)
		side->why = rg_arena_text(arena, golden->why_opaque);
	return rg_span_sha256_hex(&golden->bytes, side->sha256);
}

/* Its text is "PNG 640x480, 1234 bytes, 3f2a9c01" or "json, 3 metrics". */
static rg_error *fill_side(rg_opaque_side *side, rg_arena *arena, const rg_golden *golden)
{
	char picture[48] = "";

	RG_TRY(describe_side(side, arena, golden));
	if (side->kind == RG_OPAQUE_PNG)
		snprintf(picture, sizeof(picture), "PNG %ux%u, ", (unsigned)side->width,
			 (unsigned)side->height);
	side->says = side->kind == RG_OPAQUE_ABSENT ? rg_arena_text(arena, "not there")
		     : side->kind == RG_OPAQUE_READABLE
			     ? rg_arena_textf(arena, "%s, %zu metric%s", side->format,
					      side->metrics, side->metrics == 1 ? "" : "s")
			     : rg_arena_textf(arena, "%s%zu byte%s, %.8s", picture, side->size,
					      side->size == 1 ? "" : "s", side->sha256);
	return NULL;
}

rg_error *rg_opaque_row_fill(rg_row *row, rg_arena *arena, const rg_golden *old,
			     const rg_golden *fresh)
{
	if (rg_golden_is_opaque(old) && rg_golden_is_opaque(fresh)) {
		const rg_span a = old->bytes, b = fresh->bytes;
		const size_t at = rg_span_first_difference(&a, &b);

		row->old_count = a.size;
		row->new_count = b.size;
		row->identical = a.size == b.size && at == a.size;
		row->first_diff_known = !row->identical;
		if (row->first_diff_known)
			row->first_diff = (int64_t)at;
	}
	row->opaque = rg_arena_alloc(arena, sizeof(*row->opaque));
	if (row->identical)
		return NULL;
	row->reshaped = !rg_golden_is_opaque(old);
	RG_TRY(fill_side(&row->opaque->old, arena, old));
	RG_TRY(fill_side(&row->opaque->fresh, arena, fresh));
	row->old_excerpt = row->opaque->old.says;
	row->new_excerpt = row->opaque->fresh.says;
	return NULL;
}

rg_error *rg_opaque_alone(rg_opaque **out, rg_arena *arena, const rg_golden *old,
			  const rg_golden *fresh)
{
	*out = NULL;
	if (!rg_golden_is_opaque(old ? old : fresh))
		return NULL;
	*out = rg_arena_alloc(arena, sizeof(**out));
	RG_TRY(fill_side(&(*out)->old, arena, old));
	return fill_side(&(*out)->fresh, arena, fresh);
}

rg_opaque *rg_opaque_of(const rg_comparison *comparison, const rg_file_outcome *file)
{
	const rg_row *row = file->row_count ? &comparison->rows[file->first_row] : NULL;
	return file->opaque ? file->opaque : row && !row->identical ? row->opaque : NULL;
}
