/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shown_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "compare/summary.h"
#include "report/cells.h"

#include <stdint.h>
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
	return row->kind == options->kind &&
	       (row->kind == RG_ROW_EXACT || rg_row_size(row) >= options->threshold);
}

/* A row, and its place in the story; members of families that are not their worst have none. */
typedef struct {
	const rg_row *row;
	size_t rank;
	double size;
	bool apart; /* even where nothing changed: the others did */
} place;

static int compare_places(const void *a, const void *b)
{
	const place *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* All rows of the comparison, in their own order. */
static place *make_places(const rg_story *story)
{
	const rg_comparison *comparison = story->summary->comparison;
	place *places = rg_malloc((comparison->row_count + 1) * sizeof(*places));

	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		double size = row->kind == RG_ROW_EXACT ? 0 : rg_row_size(row);

		places[i] = (place){.row = row, .rank = SIZE_MAX, .size = size};
	}
	for (size_t i = 0; i < story->row_count; i++) {
		if (story->rows[i].row->gap != RG_GAP_NONE)
			continue;
		place *p = &places[story->rows[i].row - comparison->rows];
		p->rank = i;
		p->apart = story->rows[i].apart;
	}
	return places;
}

/* Of each row of the comparison; a member of a family is as it is by itself. */
static rg_look *make_looks(const rg_story *story)
{
	const rg_comparison *comparison = story->summary->comparison;
	rg_look *looks = rg_malloc((comparison->row_count + 1) * sizeof(*looks));

	for (size_t i = 0; i < comparison->row_count; i++)
		looks[i] = rg_row_look(&comparison->rows[i]);
	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		if (r->row->gap != RG_GAP_NONE)
			continue;
		rg_look *look = &looks[r->row - comparison->rows];
		if (*look != RG_LOOK_FAILS)
			*look = r->apart || r->looked_at || r->row->check_fails ? RG_LOOK_MUST
										: RG_LOOK_NONE;
	}
	return looks;
}

/* The looks of the rows in their order. */
static void add_looks(rg_shown_rows *out, const rg_story *story)
{
	rg_look *looks = make_looks(story);
	for (size_t i = 0; i < out->count; i++)
		out->looks[i] = looks[out->rows[i] - story->summary->comparison->rows];
	free(looks);
}

/* The rows that are asked for, in their order; those that did not change are counted. */
static void find_rows(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_comparison *comparison = options->story->summary->comparison;
	bool by_family = options->top && !options->sort && options->kind == RG_ROW_SERIES;
	place *places = make_places(options->story);
	size_t count = 0;
	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = places[i].row;
		if (!is_asked_for(row, options))
			continue;
		if (row->identical && !places[i].apart &&
		    (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else if (by_family && places[i].rank == SIZE_MAX)
			out->more++;
		else
			places[count++] = places[i];
	}
	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 0; i < count; i++)
		out->rows[i] = places[i].row;
	out->count = count;
	free(places);
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_summary *summary = options->story->summary;
	size_t count = summary->comparison->row_count;

	*out = (rg_shown_rows){.rows = rg_malloc((count + 1) * sizeof(*out->rows)),
			       .looks = rg_malloc((count + 1) * sizeof(*out->looks))};
	find_rows(out, options);
	if (options->sort)
		RG_TRY(rg_rows_sort(out->rows, out->count, options->sort, summary->context));
	if (options->top && options->top < out->count) {
		out->more += out->count - options->top;
		out->count = options->top;
	}
	add_looks(out, options->story);
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
		rg_buf_printf(out, "opaque golden%s differ%s:\n", total == 1 ? "" : "s",
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
