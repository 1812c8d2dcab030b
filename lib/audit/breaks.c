/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/thread.h"

#include <math.h>
#include <stdlib.h>

/* The share of the error rate that breaks of many series together have; the others share the rest.
 */
#define COMMON_SHARE 0.3

enum {
	ORDERS_MIN = 9999,
	/* Values shuffled for a length, at most: 190 runs get a million orders. */
	SHUFFLED_MAX = 200000000,
};

static size_t orders_for(size_t count, size_t tests, double rate)
{
	/* One table serves all series, so that it has to be right where it counts. */
	double wanted = 20 * (double)tests / rate, most = (double)SHUFFLED_MAX / (double)count;
	wanted = fmax(wanted, ORDERS_MIN);
	return (size_t)fmax(fmin(wanted, most), 199);
}

/* Series have nothing to do with each other; each worker has rows of its own. */
typedef struct {
	rg_audit *audit;
	rg_change_nulls *nulls;
	rg_ordered_rows rows[RG_WORKERS_MAX];
	double rate;
} break_search;

static void break_search_release(break_search *search)
{
	rg_change_nulls_free(search->nulls);
	for (size_t i = 0; i < RG_WORKERS_MAX; i++)
		rg_ordered_rows_release(&search->rows[i]);
}

/*
 * A series' breaks in order of time, between some of its rows. Where there is one, both sides share
 * what it was looked for with: whoever is there is no false alarm, so that no more than one can
 * come of that.
 */
static void find_between(break_search *search, rg_audit_series *series, const rg_ordered_rows *rows,
			 double rate)
{
	const size_t tests = search->audit->divided_by;
	rg_audit_break found = {0};
	rg_changepoint change;
	rg_changepoint_find(&change, search->nulls, rows->values, rows->count,
			    orders_for(rows->count + 1, tests, search->rate));
	if (change.test == RG_CHANGE_UNTESTED || change.p > rate / (double)tests)
		return;
	const rg_ordered_rows older = {rows->values, rows->rows, change.at};
	const rg_ordered_rows newer = {rows->values + change.at, rows->rows + change.at,
				       rows->count - change.at};
	found.test = change.test;
	found.before = change.at;
	found.p = change.p;
	found.adjusted = fmin(1, change.p * (double)tests);
	find_between(search, series, &older, rate / 2);
	rg_audit_add_break(series, rows, &found);
	find_between(search, series, &newer, rate / 2);
}

RG_ORDER(by_place, rg_audit_break, RG_RISING(at));

static rg_error *find_in_file(void *context, size_t worker, size_t index)
{
	break_search *search = context;
	rg_audit_file *file = &search->audit->files[index];
	rg_ordered_rows *rows = &search->rows[worker];
	if (!rows->values)
		*rows = rg_ordered_rows_of(search->audit->run_count);
	for (size_t j = 0; j < file->series_count; j++) {
		rg_audit_series *series = &file->series[j];
		/* Between the breaks that it has in common with others, too; these parts share the
		 * rate. */
		const size_t parts = series->break_count + 1;
		size_t from = 0;
		if (parts > 1)
			qsort(series->breaks, parts - 1, sizeof(*series->breaks), by_place);
		rg_audit_order_rows(rows, series, 0);
		for (size_t i = 0; i < parts; i++) {
			size_t end = from;
			while (end < rows->count &&
			       (i + 1 == parts ||
				series->row_runs[rows->rows[end]] < series->breaks[i].at))
				end++;
			const rg_ordered_rows part = {rows->values + from, rows->rows + from,
						      end - from};
			find_between(search, series, &part, search->rate / (double)parts);
			from = end;
		}
		/* A drift can be split anywhere, and has no break. */
		if (series->break_count && !rg_dependence_is_levels(rows->values, rows->count)) {
			series->drifts = !series->derived;
			series->break_count = series->regime_from = 0;
		}
		if (series->break_count)
			qsort(series->breaks, series->break_count, sizeof(*series->breaks),
			      by_place);
	}
	return NULL;
}

double rg_audit_smallest_break(const rg_audit *audit, const rg_audit_series *series)
{
	const double rate = (1 - COMMON_SHARE) * audit->options.error_rate;
	const size_t count = series->noise.measured, tests = audit->divided_by;
	return rg_changepoint_smallest(series->noise.spread.std, count, rate / (double)tests,
				       orders_for(count + 1, tests, rate));
}

bool rg_audit_needs_regime(const rg_audit_series *series)
{
	if (series->break_count)
		return true;
	for (size_t i = 0; i < series->row_count; i++)
		if (!series->pooled[i])
			return true;
	return false;
}

rg_error *rg_audit_find(rg_audit *audit)
{
	const double rate = audit->options.error_rate;
	RG_AUTO(rg_ordered_rows) rows = rg_ordered_rows_of(audit->run_count);
	rg_audit_find_bad_runs(audit, &rows);
	rg_audit_find_common_breaks(audit, &rows, COMMON_SHARE * rate);
	RG_AUTO(break_search) search = {.audit = audit, .rate = (1 - COMMON_SHARE) * rate};
	search.nulls = rg_change_nulls_new();
	/* How many series a rate is divided by: those that can show anything at all. */
	size_t capacity = 0, count = 0;
	RG_AUTO_FREE double *least = NULL;
	RG_EACH_SERIES(audit, series)
	{
		rg_audit_order_rows(&rows, series, 0);
		if (rows.count >= RG_CHANGE_MIN)
			*RG_PUSH(least, count, capacity) = rg_changepoint_least_p(rows.count);
	}
	audit->tested = count;
	audit->divided_by = count ? rg_tests_that_count(least, count, search.rate) : 1;
	RG_TRY(rg_workers_run(audit->options.workers, audit->file_count, find_in_file, &search));
	RG_EACH_SERIES(audit, series)
	audit->broken += series->break_count ? 1 : 0;
	RG_EACH_SERIES(audit, series)
	for (size_t i = 0; i < series->row_count; i++)
		series->pooled[i] &= series->row_runs[i] >= series->regime_from;
	return NULL;
}
