/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/*
 * One run from which on many series are others, each too little to show it alone. For each place k
 * in the runs' order, T(k) is the sum over the series of U(k)^2, U being the sum of the first k
 * runs' standardised ranks over sqrt(k (n - k) / n); the largest T is the statistic. The runs
 * change places as wholes, in all series at once, so that series that move together count for what
 * they are; p is the share of such orders that reach it.
 */

enum { SIDE_MIN = 2, ORDERS = 9999, SERIES_MIN = 2 };

/* Values looked at in all orders together. */
#define WORK_MAX ((size_t)2000000000)

/* A series moved where its own |U| has a p of at most 5 %, two-sided normal; of those, each gets a
 * break of its own where that p counts beside all others, or where four of five moved. */
#define MOVED 1.96

typedef struct {
	rg_audit_series *series;
	float *ranks; /* standardised, by run of the group; 0 where it has none */
} ranked;

typedef struct {
	const rg_audit_group *group;
	ranked *items;
	size_t count, capacity;
	size_t from; /* the first of the group's runs that counts */
	rg_arena arena;
} common;

/* The place of a run in its group. */
static size_t place_of(const rg_audit_group *group, size_t run)
{
	size_t low = 0, high = group->run_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (group->runs[middle] < run)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_series(common *c, rg_audit_series *series, rg_ordered_rows *rows)
{
	double squares = 0;
	rg_audit_order_rows(rows, series);
	if (rows->count < RG_CHANGE_MIN)
		return;
	rg_grow(&c->items, &c->capacity, c->count + 1, sizeof(*c->items));
	ranked *item = &c->items[c->count];
	item->series = series;
	item->ranks = rg_arena_alloc(&c->arena, c->group->run_count * sizeof(*item->ranks));
	double *sorted = rg_arena_alloc(&c->arena, rows->count * sizeof(*sorted));
	for (size_t i = 0; i < rows->count; i++)
		sorted[i] = rows->values[i];
	qsort(sorted, rows->count, sizeof(*sorted), rg_compare_doubles);
	for (size_t i = 0; i < rows->count; i++) {
		size_t under = rg_count_under(sorted, rows->count, rows->values[i], false);
		size_t most = rg_count_under(sorted, rows->count, rows->values[i], true);
		double rank = (double)under + (double)most - (double)rows->count;

		item->ranks[place_of(c->group, series->row_runs[rows->rows[i]])] = (float)rank;
		squares += rank * rank;
	}
	if (squares == 0)
		return; /* all alike */
	for (size_t i = 0; i < c->group->run_count; i++)
		item->ranks[i] /= (float)sqrt(squares / (double)rows->count);
	c->count++;
}

/* The largest T over the places; `order` says which run is at each. `sums` has a place a run. */
static double largest(const common *c, const size_t *order, double *sums, size_t *at)
{
	size_t n = c->group->run_count - c->from;
	double best = 0;

	for (size_t k = 0; k < n; k++)
		sums[k] = 0;
	for (size_t i = 0; i < c->count; i++) {
		float sum = 0;
		for (size_t k = 1; k < n; k++) {
			sum += c->items[i].ranks[order[k - 1]];
			sums[k] += (double)(sum * sum);
		}
	}
	for (size_t k = SIDE_MIN; k + SIDE_MIN <= n; k++) {
		double t = sums[k] * (double)n / ((double)k * (double)(n - k));
		if (t > best) {
			best = t;
			*at = k;
		}
	}
	return best;
}

static void test_place(const common *c, double *p, size_t *at)
{
	size_t n = c->group->run_count - c->from, orders = ORDERS, reached = 1, i, ignored;
	size_t *order = rg_calloc(n + 1, sizeof(*order));
	double *sums = rg_calloc(n + 1, sizeof(*sums));
	rg_random random = {0x636f6d6d6f6eu};

	*p = 1;
	for (size_t k = 0; k < n; k++)
		order[k] = c->from + k;
	double seen = largest(c, order, sums, at) * (1 - 1e-6);
	/* There are at least RG_CHANGE_MIN runs and SERIES_MIN series. */
	if (WORK_MAX / (n * c->count + 1) < orders)
		orders = WORK_MAX / (n * c->count + 1);
	for (i = 0; i < orders; i++) {
		for (size_t k = n; k > 1; k--) {
			size_t j = (size_t)rg_random_below(&random, k), swapped = order[k - 1];
			order[k - 1] = order[j];
			order[j] = swapped;
		}
		reached += largest(c, order, sums, &ignored) >= seen ? 1 : 0;
		/* A fifth of the orders reach it: no more of them are needed. */
		if (i >= 199 && reached > (i + 2) / 5)
			break;
	}
	if (seen > 0)
		*p = fmin(1, (double)reached / (double)(fmin((double)i, (double)orders - 1) + 2));
	free(order);
	free(sums);
}

/* How far a series moved at the place, and how many of its runs are before it. */
static double own_move(const common *c, const ranked *item, size_t at, const rg_ordered_rows *rows,
		       size_t *before)
{
	double sum = 0, n = (double)rows->count, k;
	*before = 0;
	for (size_t i = 0; i < rows->count; i++) {
		size_t place = place_of(c->group, item->series->row_runs[rows->rows[i]]);
		if (place >= at)
			break;
		sum += (double)item->ranks[place];
		++*before;
	}
	k = (double)*before;
	return *before >= SIDE_MIN && *before + SIDE_MIN <= rows->count
		       ? fabs(sum) / sqrt(k * (n - k) / n * (n / (n - 1)))
		       : 0;
}

/* May the series' own break be after so many of its runs? */
static void may_part(bool *out, const rg_ordered_rows *rows, size_t before)
{
	rg_changepoint own;
	size_t first, last;

	rg_changepoint_find(&own, NULL, rows->values, rows->count, 1);
	rg_changepoint_place(&first, &last, rows->values, rows->count, own.at);
	*out = before >= first && before <= last;
}

/* Counts the series that moved, and gives those a break that are beyond doubt. */
static void part_series(common *c, rg_audit_common_break *found, rg_ordered_rows *rows, double p,
			double rate)
{
	size_t at = place_of(c->group, found->run), before;
	for (size_t i = 0; i < c->count; i++) {
		rg_audit_order_rows(rows, c->items[i].series);
		found->series += own_move(c, &c->items[i], at, rows, &before) >= MOVED ? 1 : 0;
	}
	found->of = c->count;
	for (size_t i = 0; i < c->count; i++) {
		rg_audit_break part = {
			.test = RG_CHANGE_PERMUTATION, .p = p, .adjusted = p, .common = true};
		double moved;
		bool here;

		rg_audit_order_rows(rows, c->items[i].series);
		moved = own_move(c, &c->items[i], at, rows, &before);
		if (moved < MOVED || (5 * found->series < 4 * found->of &&
				      erfc(moved / sqrt(2)) * (double)c->count > rate))
			continue;
		part.before = before;
		may_part(&here, rows, before);
		if (here)
			rg_audit_add_break(c->items[i].series, rows, &part);
	}
}

static void rank_all(common *c, rg_audit *audit, size_t group, rg_ordered_rows *rows)
{
	c->count = 0;
	for (size_t i = 0; i < audit->file_count; i++)
		for (size_t j = 0;
		     audit->files[i].group == group && j < audit->files[i].series_count; j++)
			add_series(c, &audit->files[i].series[j], rows);
}

/* One break after the other, towards the newest run. */
static void find_in_group(rg_audit *audit, size_t group, rg_ordered_rows *rows, double rate)
{
	common c = {.group = &audit->groups[group]};
	rg_arena_init(&c.arena);
	while (c.from + RG_CHANGE_MIN <= c.group->run_count) {
		rg_audit_common_break found = {0};
		size_t at = 0;

		rg_arena_release(&c.arena);
		rg_arena_init(&c.arena);
		rank_all(&c, audit, group, rows);
		if (c.count < SERIES_MIN)
			break;
		test_place(&c, &found.p, &at);
		if (found.p > rate)
			break;
		c.from += at;
		found.run = c.group->runs[c.from];
		rg_grow(&audit->common_breaks, &audit->common_capacity, audit->common_count + 1,
			sizeof(*audit->common_breaks));
		part_series(&c, &found, rows, found.p, rate);
		audit->common_breaks[audit->common_count++] = found;
	}
	rg_arena_release(&c.arena);
	free(c.items);
}

void rg_audit_find_common_breaks(rg_audit *audit, rg_ordered_rows *rows, double rate)
{
	for (size_t i = 0; i < audit->group_count; i++)
		find_in_group(audit, i, rows, rate);
}
