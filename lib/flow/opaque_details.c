/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/opaque_details.h"

#include "compare/opaque_row.h"
#include "worktree/text_diff.h"

static void keep_picture(rg_opaque_side *side, rg_arena *arena, const rg_golden *golden)
{
	if (side->kind != RG_OPAQUE_PNG || side->size > RG_OPAQUE_PICTURE_MAX ||
	    (uint64_t)side->width * side->height > RG_OPAQUE_DOTS_MAX)
		return;
	side->picture =
		(const unsigned char *)rg_arena_copy(arena, golden->metrics->text, side->size);
}

static rg_error *add_lines(rg_opaque *opaque, rg_arena *arena, const rg_golden *old,
			   const rg_golden *fresh)
{
	rg_text_diff diff;
	if (opaque->old.kind != RG_OPAQUE_TEXT || opaque->fresh.kind != RG_OPAQUE_TEXT)
		return NULL;
	opaque->too_large = opaque->old.size > RG_TEXT_DIFF_INPUT_MAX ||
			    opaque->fresh.size > RG_TEXT_DIFF_INPUT_MAX;
	if (opaque->too_large)
		return NULL;
	RG_TRY(rg_text_diff_make(&diff, arena, old->metrics->text, old->metrics->count,
				 fresh->metrics->text, fresh->metrics->count));
	opaque->lines = diff.lines;
	opaque->line_count = diff.count;
	opaque->more = diff.more;
	return NULL;
}

rg_error *rg_opaque_details_add(rg_comparison *comparison, const rg_golden *old,
				const rg_golden *fresh, const rg_opaque_wanted *wanted)
{
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	rg_opaque *opaque = rg_opaque_of(comparison, file);
	rg_arena *arena = &comparison->arenas[0];

	if (!opaque)
		return NULL;
	if (wanted->pictures) {
		keep_picture(&opaque->old, arena, old);
		keep_picture(&opaque->fresh, arena, fresh);
	}
	return wanted->lines ? add_lines(opaque, arena, old, fresh) : NULL;
}
