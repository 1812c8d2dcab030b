/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/losses.h"

#include "base/memory.h"

#include <stdlib.h>

/* `row` may be a gap. */
static void add(rg_losses *out, const rg_row *row)
{
	rg_loss loss = {.file = row->file,
			.metric = row->metric,
			.whole = row->gap == RG_GAP_OLD_ONLY,
			.steps = row->left_out.old_only,
			.by_record = row->by_record,
			.text = row->lost_text};

	if (loss.whole) {
		loss.steps = row->kind == RG_ROW_SERIES ? row->old_count : 0;
		loss.text = "the whole metric";
	}
	if (!loss.text)
		return;
	*RG_PUSH(out->items, out->count, out->capacity) = loss;
	out->metrics += loss.whole;
	out->steps += loss.whole ? 0 : loss.steps;
	out->by_record += !loss.whole && loss.by_record;
}

void rg_losses_find(rg_losses *out, const rg_comparison *comparison)
{
	size_t before;
	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		before = out->count;
		for (size_t k = 0; k < file->gap_count; k++)
			add(out, &comparison->gaps[file->first_gap + k]);
		for (size_t k = 0; k < file->row_count; k++)
			add(out, &comparison->rows[file->first_row + k]);
		out->goldens += out->count > before;
	}
}

void rg_losses_release(rg_losses *losses)
{
	free(losses->items);
	*losses = (rg_losses){0};
}

void rg_losses_say(rg_buf *out, const rg_losses *losses)
{
	size_t partial = losses->count - losses->metrics;
	const bool records = losses->by_record == partial;

	if (!losses->count)
		return;
	if (losses->metrics)
		rg_buf_printf(out, "%zu %s%s", losses->metrics,
			      losses->metrics == 1 ? "metric" : "metrics", partial ? " and " : "");
	if (partial)
		rg_buf_printf(out, "%zu %s of %zu %s", losses->steps,
			      records              ? losses->steps == 1 ? "record" : "records"
			      : losses->steps == 1 ? "step"
						   : "steps",
			      partial,
			      losses->metrics ? "more"
			      : partial == 1  ? "metric"
					      : "metrics");
	rg_buf_printf(out, ", in %zu %s", losses->goldens,
		      losses->goldens == 1 ? "golden" : "goldens");
}
