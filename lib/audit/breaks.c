/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the error rate that breaks of many series together have; the others share the rest.
 */
#define COMMON_SHARE 0.3

enum {
	ORDERS_MIN = 9999,
	/* Values shuffled for one series, at most: 1,000 runs get some 20,000 orders. */
	SHUFFLED_MAX = 20000000,
};

/* How many series a rate is divided by: those that can show anything at all. */
static void count_tests(rg_audit *audit, rg_ordered_rows *scratch, double rate)
{
	rg_audit_file *file = audit->files, *end = file + audit->file_count;
	size_t capacity = 0, count = 0;
	double *least = NULL;

	for (; file < end; file++)
		for (size_t j = 0; j < file->series_count; j++) {
			rg_audit_order_rows(scratch, &file->series[j]);
			if (scratch->count < RG_CHANGE_MIN)
				continue;
			rg_grow(&least, &capacity, count + 1, sizeof(*least));
			least[count++] = rg_changepoint_least_p(scratch->count);
		}
	audit->tested = count;
	audit->divided_by = count ? rg_tests_that_count(least, count, rate) : 1;
	free(least);
}

static size_t orders_for(size_t count, size_t tests, double rate)
{
	double wanted = 2 * (double)tests / rate, most = (double)SHUFFLED_MAX / (double)count;
	wanted = fmax(wanted, ORDERS_MIN);
	return (size_t)fmax(fmin(wanted, most), 199);
}

/* A series' breaks, one after the other towards the newest run. Where there was one, its share of
 * the error rate is what the next is looked for with: whoever is there is no false alarm, so that
 * no more than one can come of it. */
static void find_in_series(rg_audit_series *series, rg_ordered_rows *rows, double rate,
			   size_t tests)
{
	for (;;) {
		rg_audit_break found = {0};
		rg_changepoint change;

		rg_audit_order_rows(rows, series);
		rg_changepoint_find(&change, rows->values, rows->count,
				    orders_for(rows->count + 1, tests, rate));
		if (change.test == RG_CHANGE_UNTESTED || change.p > rate / (double)tests)
			return;
		found.test = change.test;
		found.before = change.at;
		found.p = change.p;
		found.adjusted = fmin(1, change.p * (double)tests);
		rg_audit_add_break(series, rows, &found);
	}
}

/* Series have nothing to do with each other; each worker has rows of its own. */
typedef struct {
	rg_audit *audit;
	rg_ordered_rows rows[RG_WORKERS_MAX];
	double rate;
} break_search;

static rg_error *find_in_file(void *context, size_t worker, size_t index)
{
	break_search *search = context;
	rg_audit_file *file = &search->audit->files[index];
	rg_ordered_rows *rows = &search->rows[worker];

	if (!rows->values)
		rg_ordered_rows_make(rows, search->audit);
	for (size_t j = 0; j < file->series_count; j++)
		find_in_series(&file->series[j], rows, search->rate, search->audit->divided_by);
	return NULL;
}

static rg_error *find_breaks(rg_audit *audit, rg_ordered_rows *scratch, double rate)
{
	break_search search = {.audit = audit, .rate = rate};
	count_tests(audit, scratch, rate);
	rg_error *err =
		rg_workers_run(audit->options.workers, audit->file_count, find_in_file, &search);
	for (size_t i = 0; i < RG_WORKERS_MAX; i++)
		rg_ordered_rows_release(&search.rows[i]);
	for (size_t i = 0; i < audit->file_count; i++)
		for (size_t j = 0; j < audit->files[i].series_count; j++)
			audit->broken += audit->files[i].series[j].break_count ? 1 : 0;
	return err;
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

static void pool_newest(rg_audit_series *series)
{
	for (size_t i = 0; i < series->row_count; i++)
		if (series->row_runs[i] < series->regime_from)
			series->pooled[i] = false;
}

static rg_error *find_all(rg_audit *audit, rg_ordered_rows *rows)
{
	const double rate = audit->options.error_rate;
	rg_ordered_rows_make(rows, audit);
	rg_audit_find_bad_runs(audit, rows);
	rg_audit_find_common_breaks(audit, rows, COMMON_SHARE * rate);
	return find_breaks(audit, rows, (1 - COMMON_SHARE) * rate);
}

rg_error *rg_audit_find(rg_audit *audit)
{
	rg_ordered_rows rows = {0};
	rg_error *err = find_all(audit, &rows);

	rg_ordered_rows_release(&rows);
	for (size_t i = 0; !err && i < audit->file_count; i++)
		for (size_t j = 0; j < audit->files[i].series_count; j++)
			pool_newest(&audit->files[i].series[j]);
	return err;
}
