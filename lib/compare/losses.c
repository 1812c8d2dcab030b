/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/losses.h"

#include "base/memory.h"

#include <stdlib.h>

/* `row` may be a gap. */
static void append_loss(rg_losses *out, const rg_row *row)
{
	rg_loss loss = {.file = row->file,
			.metric = row->metric,
			.whole = row->gap == RG_GAP_OLD_ONLY,
			.steps = row->left_out.old_only,
			.text = row->lost_text};

	if (loss.whole) {
		loss.steps = row->kind == RG_ROW_SERIES ? row->lost : 0;
		loss.text = "the whole metric";
	}
	if (!loss.text)
		return;
	*RG_PUSH(out->items, out->count, out->capacity) = loss;
	out->metrics += loss.whole;
	out->steps += loss.whole ? 0 : loss.steps;
}

void rg_losses_find(rg_losses *out, const rg_comparison *comparison)
{
	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		const rg_records_alone *lost = &file->lost;
		const size_t before = out->count;

		if (lost->count)
			*RG_PUSH(out->items, out->count, out->capacity) = (rg_loss){
				.file = file->file,
				.steps = lost->count,
				.text = rg_arena_textf(&out->arena, "%zu of %zu records (%s)",
						       lost->count, lost->of, lost->brief)};
		out->records += lost->count;
		for (size_t k = 0; k < file->gap_count; k++)
			append_loss(out, &comparison->gaps[file->first_gap + k]);
		for (size_t k = 0; k < file->row_count; k++)
			append_loss(out, &comparison->rows[file->first_row + k]);
		out->goldens += out->count > before;
	}
}

void rg_losses_release(rg_losses *losses)
{
	free(losses->items);
	rg_arena_release(&losses->arena);
	*losses = (rg_losses){0};
}
