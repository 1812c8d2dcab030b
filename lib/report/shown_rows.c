/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shown_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "compare/summary.h"
#include "report/cells.h"

#include <stdlib.h>

void rg_shown_rows_release(rg_shown_rows *shown)
{
	free(shown->rows);
	free(shown->looks);
	*shown = (rg_shown_rows){0};
}

/* Is it one of those that are asked for? */
static bool is_asked_for(const rg_row *row, const rg_shown_options *options)
{
	if (options->without_models && rg_models_have(options->story->summary->comparison, row))
		return false;
	if (options->sized)
		return rg_row_has_size(row);
	return row->kind == options->kind &&
	       (row->kind == RG_ROW_EXACT || rg_row_size(row) >= options->threshold);
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_summary *summary = options->story->summary;
	const rg_comparison *c = summary->comparison;
	const size_t count = c->row_count;

	*out = (rg_shown_rows){.rows = rg_malloc((count + 1) * sizeof(*out->rows)),
			       .looks = rg_malloc((count + 1) * sizeof(*out->looks))};
	/* Rows come in the story's order; those that did not change are counted. */
	const rg_story_place *places = options->story->places;
	bool by_family = options->top && !options->sort && options->kind == RG_ROW_SERIES;
	RG_AUTO_FREE const rg_row **order = rg_malloc((count + 1) * sizeof(*order));
	for (size_t i = 0; i < c->row_count; i++)
		order[places[i].place] = &c->rows[i];
	for (size_t i = 0; i < c->row_count; i++) {
		const rg_row *row = order[i];
		const rg_story_place *place = &places[row - c->rows];
		if (!is_asked_for(row, options) || (options->review && !place->look))
			continue;
		if (row->identical && !place->look && (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else if (by_family && place->is_member)
			out->more++;
		else
			out->rows[out->count++] = row;
	}
	if (options->sort)
		RG_TRY(rg_rows_sort(out->rows, out->count, options->sort, summary->context));
	if (options->top && options->top < out->count) {
		out->more += out->count - options->top;
		out->count = options->top;
	}
	for (size_t i = 0; i < out->count; i++)
		out->looks[i] = places[out->rows[i] - c->rows].look;
	return NULL;
}

void rg_shown_rows_say_rest(rg_buf *out, const rg_shown_rows *shown)
{
	char number[RG_COUNT_TEXT];
	if (!shown->more && !shown->unchanged)
		return;
	if (shown->more)
		rg_buf_printf(out, "%s more; ", rg_count_text(shown->more, number));
	if (shown->unchanged)
		rg_buf_printf(out, "%s unchanged; ", rg_count_text(shown->unchanged, number));
	rg_buf_str(out, "--top 0 shows all\n");
}

void rg_shown_rows_say_exact(rg_buf *out, const rg_shown_rows *shown,
			     const rg_shown_options *options)
{
	const rg_comparison *comparison = options->story->summary->comparison;
	size_t total = 0, opaque = 0;
	bool tensors = false;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		if (!is_asked_for(row, options))
			continue;
		total++;
		opaque += row->opaque != NULL;
		tensors |= !row->opaque && (row->tensor || row->reshaped);
	}
	rg_buf_printf(out, "%s%zu of %zu ", out->length ? "\n" : "", shown->count + shown->more,
		      total);
	if (opaque == total)
		rg_buf_printf(out, "opaque golden%s differ%s:\n", rg_plural(total),
			      total == 1 ? "s" : "");
	else if (opaque)
		rg_buf_printf(out, "texts, token lists%s and opaque goldens differ:\n",
			      tensors ? ", tensors" : "");
	else
		rg_buf_printf(out, "texts%s differ:\n",
			      tensors ? ", token lists and tensors" : " and token lists");
}

const char *rg_shown_rows_exact_columns(const rg_shown_rows *shown)
{
	size_t with_changes = 0;
	for (size_t i = 0; i < shown->count; i++)
		with_changes += shown->rows[i]->changes != NULL;
	if (shown->count && with_changes == shown->count)
		return "file,metric,changes";
	return with_changes ? "file,metric,first_diff,old_excerpt,new_excerpt,changes"
			    : "file,metric,first_diff,old_excerpt,new_excerpt";
}
