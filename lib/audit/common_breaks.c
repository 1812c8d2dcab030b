/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/*
 * One run from which on many series are others, each too little to show it alone. For each place k
 * in the runs' order, T(k) is the sum over the series of U(k)^2, U being the sum of the first k
 * runs' standardised ranks over sqrt(k (n - k) / n); the largest T is the statistic. The runs
 * change places as wholes, in all series at once, so that series that move together count for what
 * they are; p is the share of such orders that reach it. One series that moved far would make T
 * large alone: a break is common that is still found at its place without the one that moved most.
 */

enum { SIDE_MIN = 2, ORDERS = 9999, SERIES_MIN = 2 };

/* Values looked at in all orders together. */
#define WORK_MAX ((size_t)2000000000)

/* A series moved where its own |U| has a p of at most 5 %, two-sided normal; of those, each gets a
 * break of its own where that p counts beside all others, or where four of five moved. */
#define MOVED 1.96

typedef struct {
	rg_audit_series *series;
	float *ranks;  /* standardised, by run of the group; 0 where it has none */
	double moved;  /* at the place: |U| */
	size_t before; /* of its runs */
} ranked;

typedef struct {
	rg_audit *audit;
	const rg_audit_group *group;
	ranked *items;
	size_t count, capacity;
	size_t tested;    /* of the items: those set aside are after them */
	size_t from, end; /* of the group's runs these count */
	double rate;      /* the chance of a false one among them */
	rg_ordered_rows *rows;
	rg_arena arena;
} common_search;

static void common_search_release(common_search *c)
{
	rg_arena_release(&c->arena);
	free(c->items);
}

RG_ORDER(by_number, size_t, RG_BY(*x, *y));

/* The place of a run in its group. */
static size_t place_of(const rg_audit_group *group, size_t run)
{
	const size_t *at = bsearch(&run, group->runs, group->run_count, sizeof(run), by_number);
	return (size_t)(at - group->runs);
}

/* The series' rows of the runs that count. */
static void order_rows(const common_search *c, const rg_audit_series *series)
{
	rg_ordered_rows *rows = c->rows;
	size_t kept = 0;
	rg_audit_order_rows(rows, series, 0);
	for (size_t i = 0; i < rows->count; i++) {
		size_t place = place_of(c->group, series->row_runs[rows->rows[i]]);
		if (place < c->from || place >= c->end)
			continue;
		rows->values[kept] = rows->values[i];
		rows->rows[kept++] = rows->rows[i];
	}
	rows->count = kept;
}

static void add_series(common_search *c, rg_audit_series *series)
{
	const rg_ordered_rows *rows = c->rows;
	double squares = 0;
	order_rows(c, series);
	if (rows->count < RG_CHANGE_MIN)
		return;
	size_t ties;
	RG_AUTO_FREE double *ranks = rg_midranks(rows->values, rows->count, &ties);
	for (size_t i = 0; i < rows->count; i++)
		squares += ranks[i] * ranks[i];
	if (ties < rows->count) {
		ranked *item = RG_PUSH(c->items, c->count, c->capacity);
		item->series = series;
		item->ranks = rg_arena_alloc(&c->arena, c->group->run_count * sizeof(float));
		for (size_t i = 0; i < rows->count; i++)
			item->ranks[place_of(c->group, series->row_runs[rows->rows[i]])] =
				(float)ranks[i] / (float)sqrt(squares / (double)rows->count);
	}
}

/* The largest T over the places; `order` says which run is at each. `sums` has a place a run. */
static double largest(const common_search *c, const size_t *order, double *sums, size_t *at)
{
	size_t n = c->end - c->from;
	double best = 0;
	for (size_t k = 0; k < n; k++)
		sums[k] = 0;
	for (size_t i = 0; i < c->tested; i++) {
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

static double test_place(const common_search *c, size_t *at)
{
	size_t n = c->end - c->from, orders = ORDERS, reached = 1, i, ignored;
	RG_AUTO_FREE size_t *order = rg_calloc(n + 1, sizeof(*order));
	RG_AUTO_FREE double *sums = rg_calloc(n + 1, sizeof(*sums));
	rg_random random = {0x636f6d6d6f6eu};
	for (size_t k = 0; k < n; k++)
		order[k] = c->from + k;
	double seen = largest(c, order, sums, at) * (1 - 1e-6);
	if (WORK_MAX / (n * c->tested + 1) < orders)
		orders = WORK_MAX / (n * c->tested + 1);
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
	return seen > 0 ? fmin(1, (double)reached / (fmin((double)i, (double)orders - 1) + 2)) : 1;
}

/* How far each series moved at the place, and how many of its runs are before it; returns how many
 * moved. */
static size_t find_moved(common_search *c, size_t at)
{
	size_t count = 0;
	for (size_t i = 0; i < c->count; i++) {
		ranked *item = &c->items[i];
		order_rows(c, item->series);
		double sum = 0, n = (double)c->rows->count;
		item->before = 0;
		for (size_t k = 0; k < c->rows->count; k++) {
			size_t run = item->series->row_runs[c->rows->rows[k]];
			size_t place = place_of(c->group, run);
			if (place >= at)
				break;
			sum += (double)item->ranks[place];
			item->before++;
		}
		double k = (double)item->before;
		bool fits = k >= SIDE_MIN && k + SIDE_MIN <= n;
		item->moved = fits ? fabs(sum) / sqrt(k * (n - k) / (n - 1)) : 0;
		count += item->moved >= MOVED ? 1 : 0;
	}
	return count;
}

/* The place at which the series break together, with the p of all but the one that moved most
 * there; 1: there is none. */
static double find_place(common_search *c, size_t *at)
{
	size_t again;
	c->tested = c->count;
	if (c->count < SERIES_MIN)
		return 1;
	for (double p = test_place(c, at); p <= c->rate && c->tested > 1; *at = again) {
		/* The series that moved most there is set aside: it is not tested again. */
		size_t most = 0;
		find_moved(c, c->from + *at);
		for (size_t i = 1; i < c->tested; i++)
			most = c->items[i].moved > c->items[most].moved ? i : most;
		ranked strongest = c->items[most];
		c->items[most] = c->items[--c->tested];
		c->items[c->tested] = strongest;
		p = test_place(c, &again);
		if (p <= c->rate && again + 1 >= *at && again <= *at + 1)
			return p;
	}
	return 1;
}

/* Do the series that moved keep to levels? The mean of their ranks, those that fell turned over. */
static bool are_levels(const common_search *c, size_t at)
{
	size_t n = c->end - c->from;
	RG_AUTO_FREE double *means = rg_calloc(n, sizeof(*means));
	for (size_t i = 0; i < c->count; i++) {
		const float *ranks = c->items[i].ranks;
		float sum = 0;
		for (size_t k = c->from; k < at; k++)
			sum += ranks[k];
		for (size_t k = 0; c->items[i].moved >= MOVED && k < n; k++)
			means[k] += (double)(sum > 0 ? ranks[c->from + k] : -ranks[c->from + k]);
	}
	return rg_dependence_is_levels(means, n);
}

/* One that moved alone is no common break, nor is a drift. */
static void keep_break(common_search *c, size_t at, double p)
{
	rg_audit *audit = c->audit;
	rg_audit_common_break found = {
		.run = c->group->runs[at], .series = find_moved(c, at), .of = c->count, .p = p};
	if (found.series < SERIES_MIN || !are_levels(c, at))
		return;
	/* Gives those series a break that are beyond doubt. */
	for (size_t i = 0; i < c->count; i++) {
		const ranked *item = &c->items[i];
		rg_audit_break part = {.test = RG_CHANGE_PERMUTATION,
				       .before = item->before,
				       .p = p,
				       .adjusted = p,
				       .common = true};

		if (item->moved < MOVED ||
		    (5 * found.series < 4 * found.of &&
		     erfc(item->moved / sqrt(2)) * (double)c->count > c->rate))
			continue;
		order_rows(c, item->series);
		/* May the series' own break be after so many of its runs? */
		rg_changepoint own;
		size_t first, last;
		rg_changepoint_find(&own, NULL, c->rows->values, c->rows->count, 1);
		rg_changepoint_place(&first, &last, c->rows->values, c->rows->count, own.at);
		if (item->before >= first && item->before <= last)
			rg_audit_add_break(item->series, c->rows, &part);
	}
	*RG_PUSH(audit->common_breaks, audit->common_count, audit->common_capacity) = found;
}

/* Both sides of a place that was found share what it was looked for with (find_between in
 * audit/breaks.c). */
static void find_between(common_search *c, size_t from, size_t end, double rate)
{
	size_t at = 0;
	c->from = from;
	c->end = end;
	c->rate = rate;
	if (end - from < RG_CHANGE_MIN)
		return;
	rg_arena_release(&c->arena);
	c->count = 0;
	RG_EACH_SERIES(c->audit, series)
	if (&c->audit->groups[series->group] == c->group)
		add_series(c, series);
	double p = find_place(c, &at);
	if (p > rate)
		return;
	at += from;
	keep_break(c, at, p);
	find_between(c, from, at, rate / 2);
	find_between(c, at, end, rate / 2);
}

RG_ORDER(by_run, rg_audit_common_break, RG_RISING(run));

void rg_audit_find_common_breaks(rg_audit *audit, rg_ordered_rows *rows, double rate)
{
	for (size_t i = 0; i < audit->group_count; i++) {
		RG_AUTO(common_search) c = {.audit = audit, .rows = rows};
		size_t first = audit->common_count;
		c.group = &audit->groups[i];
		find_between(&c, 0, c.group->run_count, rate);
		if (audit->common_count > first)
			qsort(audit->common_breaks + first, audit->common_count - first,
			      sizeof(*audit->common_breaks), by_run);
	}
}
