/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/losses.h"

#include "base/memory.h"
#include "golden/text.h"

#include <stdlib.h>
#include <string.h>

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
	out->partial += !loss.whole;
	out->cells += !loss.whole && row->by_record;
	out->texts += !loss.whole && !strcmp(row->metric, RG_TEXT_METRIC);
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

/* "2 metrics", after what is there. */
static void append_count(rg_buf *out, size_t before, size_t count, const char *word, bool last)
{
	if (count)
		rg_buf_printf(out, "%s%zu %s%s",
			      out->length == before ? ""
			      : last                ? " and "
						    : ", ",
			      count, word, count == 1 ? "" : "s");
}

void rg_losses_say(rg_buf *out, const rg_losses *losses)
{
	const size_t before = out->length;

	append_count(out, before, losses->records, "record", false);
	append_count(out, before, losses->metrics, "metric", !losses->partial);
	append_count(out, before, losses->steps,
		     losses->cells == losses->partial   ? "cell"
		     : losses->texts == losses->partial ? "number"
							: "step",
		     true);
	if (losses->partial && losses->metrics)
		rg_buf_printf(out, " of %zu more", losses->partial);
	else if (losses->partial)
		rg_buf_printf(out, " of %zu metric%s", losses->partial,
			      losses->partial == 1 ? "" : "s");
	if (losses->count)
		rg_buf_printf(out, ", in %zu golden%s", losses->goldens,
			      losses->goldens == 1 ? "" : "s");
}
