/* SPDX-License-Identifier: Apache-2.0 */
#include "report/shown_rows.h"

#include "base/number.h"
#include "report/cells.h"
#include "report/review.h"

#include <math.h>
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

/* What a row's place depends on. */
typedef struct {
	const rg_row *row;
	rg_look look;
	double over; /* score over the flag level */
	double size;
} place;

/* A metric without a level has no scale to be held against, also where it is in part missing or not
 * finite: it comes after those that have one. */
static place place_of(const rg_row *row, const rg_policy *policy)
{
	place p = {.row = row, .look = rg_row_look(row)};
	rg_metric_policy resolved;

	rg_policy_resolve(policy, row->metric, &resolved);
	p.size = row->kind == RG_ROW_EXACT ? 0 : fabs(row->avg_rel_diff);
	if (p.look == RG_LOOK_NONE || !(resolved.flag > 0))
		return p;
	p.over = row->left_out.new_nonfinite ? INFINITY : row->score / resolved.flag;
	return p;
}

static int compare_places(const void *a, const void *b)
{
	const place *x = a, *y = b;

	if (x->look != y->look)
		return x->look > y->look ? -1 : 1;
	if (x->over != y->over)
		return x->over > y->over ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The rows that are asked for, in their order; those that did not change are counted. */
static rg_error *find_rows(rg_shown_rows *out, const rg_comparison *comparison,
			   const rg_shown_options *options)
{
	place *places = malloc((comparison->row_count + 1) * sizeof(*places));
	size_t i;

	if (!places)
		return rg_error_nomem();
	for (i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];

		if (!is_asked_for(row, options))
			continue;
		if (row->identical && (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else
			places[out->count++] = place_of(row, options->policy);
	}
	qsort(places, out->count, sizeof(*places), compare_places);
	for (i = 0; i < out->count; i++)
		out->rows[i] = places[i].row;
	free(places);
	return NULL;
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_comparison *comparison,
			     const rg_shown_options *options)
{
	*out = (rg_shown_rows){.rows = malloc((comparison->row_count + 1) * sizeof(*out->rows))};
	if (!out->rows)
		return rg_error_nomem();
	RG_TRY(find_rows(out, comparison, options));
	if (options->sort)
		RG_TRY(rg_rows_sort(out->rows, out->count, options->sort, options->context));
	if (options->top && options->top < out->count) {
		out->more = out->count - options->top;
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
