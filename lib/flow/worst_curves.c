/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/worst_curves.h"

#include "base/memory.h"
#include "base/order.h"
#include "story/review.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct rg_kept_curve {
	rg_row row; /* a copy, as it was when the curve was read */
	rg_curve curve;
	size_t arrival;
};

/* --- keeping --- */

/* Rows that need a look come first, then the worst. */
static int compare_rows(const rg_row *a, const rg_row *b)
{
	rg_look x = rg_row_look(a), y = rg_row_look(b);
	if (x != y)
		return x > y ? -1 : 1;
	return rg_row_is_worse(a, b) ? -1 : rg_row_is_worse(b, a);
}

RG_ORDER_OF_POINTERS(compare_kept, rg_kept_curve,
		     RG_THEN(compare_rows(&x->row, &y->row)) || RG_RISING(arrival));

static void free_kept(rg_kept_curve *kept)
{
	rg_curve_release(&kept->curve);
	free(kept);
}

/* The first ones, as far as a page has room for. What is beyond the first that does not fit goes as
 * well: so the same ones stay, whichever worker had them. */
static size_t count_fitting(rg_kept_curve *const *items, size_t count)
{
	size_t points = 0, i;
	for (i = 0; i < count && i < RG_CURVES_KEPT; i++) {
		points += rg_curve_points(&items[i]->curve);
		if (points > RG_CURVES_POINTS)
			break;
	}
	return i;
}

static void prune(rg_worst_curves *worst)
{
	if (!worst->count)
		return;
	qsort(worst->items, worst->count, sizeof(rg_kept_curve *), compare_kept);
	size_t fitting = count_fitting(worst->items, worst->count);
	while (worst->count > fitting) {
		rg_kept_curve *last = worst->items[--worst->count];
		worst->points -= rg_curve_points(&last->curve);
		free_kept(last);
	}
}

rg_error *rg_worst_curves_add(rg_worst_curves *worst, const rg_row *row, const rg_golden *old,
			      const rg_golden *fresh, const rg_noise_model *noise)
{
	const rg_metric *before = rg_golden_find(old, row->metric);
	const rg_metric *after = rg_golden_find(fresh, row->metric);

	if (!rg_row_has_curve(row) || !before || !after)
		return NULL;
	rg_kept_curve *kept = rg_calloc(1, sizeof(*kept));
	kept->row = *row;
	rg_error *err = rg_curve_read(&kept->curve, before, after);
	if (!err && noise && !kept->curve.is_tensor)
		err = rg_curve_read_band(&kept->curve, noise,
					 rg_noise_model_find(noise, row->file, row->metric));
	if (err) {
		free_kept(kept);
		return err;
	}
	kept->arrival = worst->arrivals++;
	worst->points += rg_curve_points(&kept->curve);
	*RG_PUSH(worst->items, worst->count, worst->capacity) = kept;
	/* Now and then, because it sorts. */
	if (worst->points > RG_CURVES_POINTS / 8 * 9 || worst->count > RG_CURVES_KEPT / 8 * 9)
		prune(worst);
	return NULL;
}

void rg_worst_curves_release(rg_worst_curves *worst)
{
	while (worst->count)
		free_kept(worst->items[--worst->count]);
	free(worst->items);
	*worst = (rg_worst_curves){0};
}

/* --- picking --- */

static int compare_row_names(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	int order = strcmp(x->file, y->file);
	return order ? order : strcmp(x->metric, y->metric);
}

/* By the comparison's own order, which is what came first where equals came from several workers.
 */
RG_ORDER_OF_POINTERS(compare_with_place, rg_kept_curve,
		     RG_THEN(compare_rows(&x->row, &y->row)) || RG_RISING(curve.row));

/* Gathers the curves of rows that are still there, of all parts, in `items`, which has room. */
static size_t gather(rg_kept_curve **items, rg_worst_curves *parts, size_t part_count,
		     const rg_row *const *rows, size_t row_count)
{
	size_t found = 0;
	for (size_t i = 0; i < part_count; i++)
		for (size_t k = 0; k < parts[i].count; k++) {
			rg_kept_curve *kept = parts[i].items[k];
			const rg_row *wanted = &kept->row;
			const rg_row *const *row =
				bsearch(&wanted, rows, row_count, sizeof(*rows), compare_row_names);

			if (!row)
				continue;
			kept->curve.row = *row;
			items[found++] = kept;
		}
	if (found)
		qsort(items, found, sizeof(*items), compare_with_place);
	return found;
}

/* A curve, and what the story has of its row; NULL: it does not tell of it. */
typedef struct {
	rg_curve curve;
	const rg_story_place *place;
	size_t at;
} ranked;

RG_ORDER(compare_ranked, ranked,
	 RG_BY(x->place ? x->place->place : SIZE_MAX, y->place ? y->place->place : SIZE_MAX) ||
		 RG_RISING(at));

void rg_worst_curves_order(rg_curve_list *out, const rg_curve_list *list,
			   const rg_story_place *const *places, const rg_comparison *comparison)
{
	RG_AUTO_FREE ranked *items = rg_malloc((list->count + 1) * sizeof(*items));

	*out = *list;
	out->items = rg_malloc((list->count + 1) * sizeof(*out->items));
	for (size_t i = 0; i < list->count; i++)
		items[i] =
			(ranked){list->items[i], places[list->items[i].row - comparison->rows], i};
	qsort(items, list->count, sizeof(*items), compare_ranked);
	for (size_t i = 0; i < list->count; i++)
		out->items[i] = items[i].curve;
}

void rg_worst_curves_pick(rg_curve_list *out, const rg_comparison *comparison,
			  rg_worst_curves *parts, size_t count)
{
	RG_AUTO_FREE const rg_row **rows =
		rg_malloc((comparison->row_count + 1) * sizeof(const rg_row *));
	size_t row_count = 0, total = 0;

	/* The rows of the comparison that have a curve, by name. */
	for (size_t i = 0; i < comparison->row_count; i++)
		if (rg_row_has_curve(&comparison->rows[i]))
			rows[row_count++] = &comparison->rows[i];
	if (row_count)
		qsort(rows, row_count, sizeof(const rg_row *), compare_row_names);
	for (size_t i = 0; i < count; i++)
		total += parts[i].count;
	RG_AUTO_FREE rg_kept_curve **items = rg_malloc((total + 1) * sizeof(*items));
	total = gather(items, parts, count, rows, row_count);
	*out = (rg_curve_list){.items = rg_calloc(total + 1, sizeof(*out->items)),
			       .count = count_fitting(items, total)};
	out->left_out = row_count - out->count;
	for (size_t i = 0; i < out->count; i++) {
		out->items[i] = items[i]->curve;
		items[i]->curve = (rg_curve){0};
	}
}
