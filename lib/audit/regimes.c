/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Fewer runs do not say which one is the odd one. */
	BAD_RUN_OF = 5,
	/* A bad run is far out in at least so many series, and in half of those it is in. */
	BAD_RUN_SERIES = 3,
};

/* MADs from the median (some 6.7 standard deviations of a normal sample), and a relative deviation
 * that somebody would have to look at: a bit's difference among runs that agree does not make a bad
 * run. */
#define FAR_OUT 10.0
#define FAR_MIN 1e-3

/* A series' deviations, in the runs' order, and which rows they are of: room for any series. */
typedef struct {
	double *values;
	size_t *rows;
	size_t count;
} ordered;

/* The pooled rows from the regime's start on. */
static void order_rows(ordered *out, const rg_audit_series *series)
{
	size_t i;

	out->count = 0;
	for (i = 0; i < series->row_count; i++) {
		if (!series->pooled[i] || series->row_runs[i] < series->regime_from ||
		    !isfinite(series->all.deviations[i]))
			continue;
		out->values[out->count] = series->all.deviations[i];
		out->rows[out->count++] = i;
	}
}

typedef struct {
	size_t far, of, files, last_file;
} run_tally;

/* A run that is not finite where the others are is as far out as can be. */
static bool is_far(const rg_audit_series *series, size_t row, double median, double limit)
{
	double value = series->all.deviations[row];

	if (isnan(value))
		return series->all.rows_nonfinite[row];
	return fabs(value - median) > limit;
}

/* Many far-out runs in one series are its spread, or a break, and not bad runs. */
static void tally_series(run_tally *tallies, const rg_audit_series *series, size_t file,
			 ordered *scratch)
{
	size_t i, far = 0, most = series->row_count / 8;
	double median, limit;

	order_rows(scratch, series);
	median = rg_median(scratch->values, scratch->count);
	limit = fmax(FAR_OUT * rg_median_deviation(scratch->values, scratch->count), FAR_MIN);
	for (i = 0; i < series->row_count; i++) {
		tallies[series->row_runs[i]].of++;
		far += is_far(series, i, median, limit) ? 1 : 0;
	}
	if (!far || far > (most ? most : 1) || series->row_count < BAD_RUN_OF)
		return;
	for (i = 0; i < series->row_count; i++) {
		run_tally *tally = &tallies[series->row_runs[i]];

		if (!is_far(series, i, median, limit))
			continue;
		tally->far++;
		tally->files += tally->last_file != file + 1 ? 1 : 0;
		tally->last_file = file + 1;
	}
}

static void leave_out(rg_audit *audit, const bool *bad)
{
	size_t i, j, k;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			rg_audit_series *series = &audit->files[i].series[j];

			for (k = 0; k < series->row_count; k++)
				if (bad[series->row_runs[k]])
					series->pooled[k] = false;
		}
}

static rg_error *find_bad_runs(rg_audit *audit, ordered *scratch)
{
	run_tally *tallies = calloc(audit->run_count + 1, sizeof(*tallies));
	bool *bad = calloc(audit->run_count + 1, sizeof(*bad));
	rg_error *err = tallies && bad ? NULL : rg_error_nomem();
	size_t i, j;

	for (i = 0; !err && i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++)
			tally_series(tallies, &audit->files[i].series[j], i, scratch);
	for (i = 0; !err && i < audit->run_count; i++) {
		const run_tally *tally = &tallies[i];

		if (tally->far < BAD_RUN_SERIES || 2 * tally->far < tally->of)
			continue;
		err = rg_grow(&audit->bad_runs, &audit->bad_capacity, audit->bad_count + 1,
			      sizeof(*audit->bad_runs));
		if (err)
			break;
		audit->bad_runs[audit->bad_count++] =
			(rg_audit_bad_run){i, tally->far, tally->of, tally->files};
		bad[i] = true;
	}
	if (!err)
		leave_out(audit, bad);
	free(bad);
	free(tallies);
	return err;
}

/* A series that was tested in this round. */
typedef struct {
	rg_audit_series *series;
	rg_changepoint change;
	size_t at; /* run, into rg_audit.runs */
	size_t count;
} tested_series;

typedef struct {
	tested_series *items;
	size_t count, capacity;
	ordered *scratch;
} trial_list;

static rg_error *try_series(trial_list *list, rg_audit_series *series)
{
	ordered *scratch = list->scratch;
	rg_changepoint change;

	order_rows(scratch, series);
	RG_TRY(rg_changepoint_find(&change, scratch->values, scratch->count,
				   rg_changepoint_orders(scratch->count)));
	if (!change.tested)
		return NULL;
	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
	list->items[list->count++] = (tested_series){
		series, change, series->row_runs[scratch->rows[change.at]], scratch->count};
	return NULL;
}

/* More random orders than all of this are not drawn. */
#define SHARPEN_MAX ((size_t)400000000)

/*
 * With very many series, the least p that the usual number of orders can give is too large for a
 * break that few of them have. Those that no order reached are tried with as many as Benjamini and
 * Hochberg's bound for them takes. That many series or more reached it makes that few.
 */
static rg_error *sharpen(trial_list *list, double rate)
{
	size_t unreached = 0, values = 0, orders, i;
	rg_error *err = NULL;

	for (i = 0; i < list->count; i++)
		if (list->items[i].change.unreached) {
			unreached++;
			values += list->items[i].count;
		}
	if (!unreached)
		return NULL;
	/* Four times as many, for some of them may be reached yet. */
	orders = (size_t)ceil(4 * (double)list->count / ((double)unreached * rate));
	orders = orders < SHARPEN_MAX / values ? orders : SHARPEN_MAX / values;
	for (i = 0; !err && i < list->count; i++) {
		tested_series *trial = &list->items[i];

		if (!trial->change.unreached || trial->change.unreached >= orders)
			continue;
		order_rows(list->scratch, trial->series);
		err = rg_changepoint_find(&trial->change, list->scratch->values,
					  list->scratch->count, orders);
	}
	return err;
}

static rg_error *accept(const tested_series *trial, double q)
{
	rg_audit_series *series = trial->series;

	RG_TRY(rg_grow(&series->breaks, &series->break_capacity, series->break_count + 1,
		       sizeof(*series->breaks)));
	series->breaks[series->break_count++] = (rg_audit_break){
		.at = trial->at,
		.before = trial->change.at,
		.after = trial->count - trial->change.at,
		.p = trial->change.p,
		.q = q,
		.shift = trial->change.shift,
	};
	series->regime_from = trial->at;
	return NULL;
}

/* Tests every series once more from its newest break on, or only those of `last` where it is not
 * NULL. `next` gets those in which a break was accepted. */
static rg_error *round_of_tests(rg_audit *audit, const trial_list *last, trial_list *next)
{
	trial_list list = {.scratch = next->scratch};
	double *p = NULL;
	rg_error *err = NULL;
	size_t i, j;

	for (i = 0; !last && !err && i < audit->file_count; i++)
		for (j = 0; !err && j < audit->files[i].series_count; j++)
			err = try_series(&list, &audit->files[i].series[j]);
	for (i = 0; last && !err && i < last->count; i++)
		err = try_series(&list, last->items[i].series);
	if (!last)
		audit->tested = list.count;
	if (!err)
		err = sharpen(&list, audit->options.discovery_rate);
	p = calloc(list.count + 1, sizeof(*p));
	if (!err && !p)
		err = rg_error_nomem();
	for (i = 0; !err && i < list.count; i++)
		p[i] = list.items[i].change.p;
	if (!err)
		err = rg_false_discovery(p, p, list.count);
	for (i = 0; !err && i < list.count; i++) {
		if (p[i] > audit->options.discovery_rate)
			continue;
		err = accept(&list.items[i], p[i]);
		list.items[next->count++] = list.items[i];
	}
	free(p);
	list.count = next->count;
	*next = list;
	return err;
}

static rg_error *find_breaks(rg_audit *audit, ordered *scratch)
{
	trial_list last = {.scratch = scratch}, next;
	rg_error *err = round_of_tests(audit, NULL, &last);

	audit->broken = last.count;
	/* Each round cuts every series at least once or drops it, so this ends. */
	while (!err && last.count) {
		next = (trial_list){.scratch = scratch};
		err = round_of_tests(audit, &last, &next);
		free(last.items);
		last = next;
	}
	free(last.items);
	return err;
}

bool rg_audit_needs_regime(const rg_audit_series *series)
{
	size_t i;

	if (series->break_count)
		return true;
	for (i = 0; i < series->row_count; i++)
		if (!series->pooled[i])
			return true;
	return false;
}

rg_error *rg_audit_find(rg_audit *audit)
{
	ordered scratch = {
		.values = rg_arena_alloc(&audit->arena, (audit->run_count + 1) * sizeof(double)),
		.rows = rg_arena_alloc(&audit->arena, (audit->run_count + 1) * sizeof(size_t))};
	size_t i, j, k;

	if (!scratch.values || !scratch.rows)
		return rg_error_nomem();
	RG_TRY(find_bad_runs(audit, &scratch));
	RG_TRY(find_breaks(audit, &scratch));
	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			rg_audit_series *series = &audit->files[i].series[j];

			for (k = 0; k < series->row_count; k++)
				if (series->row_runs[k] < series->regime_from)
					series->pooled[k] = false;
		}
	return NULL;
}
