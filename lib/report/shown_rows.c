/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shown_rows.h"

#include "base/number.h"
#include "report/cells.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void rg_shown_rows_release(rg_shown_rows *shown)
{
	free(shown->rows);
	*shown = (rg_shown_rows){0};
}

/* Is it one of those that are asked for? */
static bool is_asked_for(const rg_row *row, const rg_shown_options *options)
{
	return row->kind == options->kind &&
	       (row->kind == RG_ROW_EXACT || fabs(row->avg_rel_diff) >= options->threshold);
}

/* A row, and its place in the story; members of families that are not their worst have none. */
typedef struct {
	const rg_row *row;
	size_t rank;
	double size;
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
	place *places = malloc((comparison->row_count + 1) * sizeof(*places));
	size_t i;

	for (i = 0; places && i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		double size = row->kind == RG_ROW_EXACT ? 0 : fabs(row->avg_rel_diff);

		places[i] = (place){row, SIZE_MAX, size};
	}
	for (i = 0; places && i < story->row_count; i++)
		places[story->rows[i].row - comparison->rows].rank = i;
	return places;
}

/* The rows that are asked for, in their order; those that did not change are counted. */
static rg_error *find_rows(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_comparison *comparison = options->story->summary->comparison;
	bool by_family = options->top && !options->sort && options->kind == RG_ROW_SERIES;
	place *places = make_places(options->story);
	size_t i, count = 0;

	if (!places)
		return rg_error_nomem();
	for (i = 0; i < comparison->row_count; i++) {
		const rg_row *row = places[i].row;

		if (!is_asked_for(row, options))
			continue;
		if (row->identical && (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else if (by_family && places[i].rank == SIZE_MAX)
			out->more++;
		else
			places[count++] = places[i];
	}
	qsort(places, count, sizeof(*places), compare_places);
	for (i = 0; i < count; i++)
		out->rows[i] = places[i].row;
	out->count = count;
	free(places);
	return NULL;
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_summary *summary = options->story->summary;
	size_t count = summary->comparison->row_count;

	*out = (rg_shown_rows){.rows = malloc((count + 1) * sizeof(*out->rows))};
	if (!out->rows)
		return rg_error_nomem();
	RG_TRY(find_rows(out, options));
	if (options->sort)
		RG_TRY(rg_rows_sort(out->rows, out->count, options->sort, summary->context));
	if (options->top && options->top < out->count) {
		out->more += out->count - options->top;
		out->count = options->top;
	}
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
