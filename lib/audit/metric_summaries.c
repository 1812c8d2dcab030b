/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RG_ORDER_OF_POINTERS(by_group_and_metric, rg_audit_series,
		     RG_RISING(group) || RG_BY_TEXT(metric) || RG_BY_PATH(file));

static void widen(rg_tolerance *all, const rg_tolerance *one)
{
	all->not_bounded |= one->not_bounded;
	/* The series that failed most is named. */
	all->failed_later |= one->failed_later;
	if (one->newer && (!all->newer || one->failed * all->newer > all->failed * one->newer)) {
		all->older = one->older;
		all->newer = one->newer;
		all->failed = one->failed;
		memcpy(all->tested, one->tested, sizeof(all->tested));
	}
	all->kind = one->kind;
	all->max_relative = fmax(all->max_relative, one->max_relative);
	/* Too few runs say nothing. */
	if (one->by_rate && !rg_tolerance_is_measured(one)) {
		if (one->runs < RG_TOLERANCE_RUNS_MIN && one->runs > all->runs)
			all->runs = one->runs;
		return;
	}
	/* No file loses a step that counts, if they begin at different steps. */
	if (one->runs && (!all->runs || one->first_step < all->first_step))
		all->first_step = one->first_step;
	all->max_absolute = fmax(all->max_absolute, one->max_absolute);
	all->relative = fmax(all->relative, one->relative);
	all->absolute = fmax(all->absolute, one->absolute);
	all->included += one->included;
	all->runs = one->runs > all->runs ? one->runs : all->runs;
	all->by_rate |= one->by_rate;
	all->by_theory |= one->by_theory;
	all->fail_low = fmax(all->fail_low, one->fail_low);
	all->fail_high = fmax(all->fail_high, one->fail_high);
}

static void add_series(rg_audit_summary *summary, const rg_audit_series *series, bool *seen)
{
	const rg_figures *figures = &series->noise;
	summary->files++;
	summary->steps += series->all.centre_count;
	summary->deterministic += figures->deterministic ? 1 : 0;
	if (figures->patterns > summary->patterns)
		summary->patterns = figures->patterns;
	summary->broken += series->break_count ? 1 : 0;
	widen(&summary->tolerance, &figures->tolerance);
	for (size_t i = 0; i < series->row_count; i++)
		if (series->pooled[i] && !seen[series->row_runs[i]]) {
			seen[series->row_runs[i]] = true;
			summary->runs++;
		}
	if (figures->spread.widest > summary->spread.widest ||
	    (isnan(summary->spread.widest) && !isnan(figures->spread.widest))) {
		summary->spread.widest = figures->spread.widest;
		summary->spread.widest_step = figures->spread.widest_step;
		summary->widest_file = series->file;
		summary->records = series->records;
	}
}

void rg_audit_pool(rg_audit_summary *out, const rg_audit *audit,
		   const rg_audit_series *const *series, size_t count)
{
	RG_AUTO_FREE bool *seen = rg_calloc(audit->run_count + 1, sizeof(*seen));
	out->spread.widest = NAN;
	for (size_t i = 0; i < count; i++)
		add_series(out, series[i], seen);
	/* The smallest break of the series in the middle; those that drift, or have too few runs to
	 * look for one, do not count. */
	RG_AUTO_FREE double *smallest = rg_calloc(count + 1, sizeof(*smallest));
	size_t looked = 0;
	for (size_t i = 0; i < count; i++)
		if (series[i]->noise.measured >= RG_CHANGE_MIN && !series[i]->drifts)
			smallest[looked++] = rg_audit_smallest_break(audit, series[i]);
	out->smallest_break = looked ? rg_quantile(smallest, looked, 0.5) : INFINITY;
	rg_audit_find_sources(&out->sources, audit, series, count);
	/* The spread of all the series' runs together. */
	size_t room = 1, n = 0;
	for (size_t i = 0; i < count; i++)
		room += series[i]->row_count;
	RG_AUTO_FREE double *deviations = rg_calloc(2 * room, sizeof(*deviations));
	double *sizes = deviations + room;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < series[i]->row_count; j++) {
			if (!isfinite(series[i]->noise.deviations[j]))
				continue;
			deviations[n] = series[i]->noise.deviations[j];
			sizes[n++] = series[i]->noise.sizes[j];
		}
	out->measured = n;
	rg_spread_describe(&out->spread, deviations, sizes, n);
}

static void summarise_groups(rg_audit *audit, const rg_audit_series *const *series, size_t count)
{
	size_t start = 0, end = 0, file = 0;
	audit->overall =
		rg_arena_alloc(&audit->arena, (audit->group_count + 1) * sizeof(*audit->overall));
	for (size_t group = 0; group < audit->group_count; group++, start = end) {
		rg_audit_summary *summary = &audit->overall[group];
		while (end < count && series[end]->group == group)
			end++;
		summary->group = group;
		rg_audit_pool(summary, audit, series + start, end - start);
		/* `files` counted series so far. */
		summary->files = 0;
		for (; file < audit->file_count && audit->files[file].group == group; file++)
			summary->files++;
	}
}

void rg_audit_all_series(const rg_audit *audit, const rg_audit_series ***out, size_t *count)
{
	size_t total = 0;
	for (size_t i = 0; i < audit->file_count; i++)
		total += audit->files[i].series_count;
	*out = rg_calloc(total + 1, sizeof(const rg_audit_series *));
	*count = 0;
	RG_EACH_SERIES(audit, series)
	(*out)[(*count)++] = series;
}

static double widest_of(const rg_audit_series *series)
{
	return isnan(series->noise.spread.max) ? -1 : series->noise.spread.max;
}

RG_ORDER_OF_POINTERS(by_spread, rg_audit_series,
		     RG_BY(widest_of(y), widest_of(x)) || RG_BY_PATH(file) || RG_BY_TEXT(metric) ||
			     RG_RISING(group));

int rg_audit_by_spread(const void *a, const void *b)
{
	return by_spread(a, b);
}

/* The medians of the series' autocorrelations at lag 1 and of their trends' p, over their newest
 * regimes, in which no break makes one. Independent runs have an autocorrelation under 0. */
#define HANG_TOGETHER 0.1
#define RISE_TOGETHER 0.05

static void find_dependence(rg_audit *audit, const rg_audit_series *const *series, size_t count)
{
	RG_AUTO_FREE double *lags = rg_calloc(2 * count + 1, sizeof(*lags));
	double *trends = lags + count;
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		const rg_dependence *dependence = &series[i]->noise.dependence;
		if (series[i]->derived || dependence->count < RG_CHANGE_PERMUTATION_MIN ||
		    isnan(dependence->lag1))
			continue;
		lags[n] = dependence->lag1;
		trends[n++] = dependence->p;
	}
	audit->hang_together =
		n && (rg_median(lags, n) > HANG_TOGETHER || rg_median(trends, n) <= RISE_TOGETHER);
}

void rg_audit_summarise(rg_audit *audit)
{
	RG_AUTO_FREE const rg_audit_series **series = NULL;
	size_t count = 0;
	RG_EACH_SERIES(audit, one)
	{
		one->drifts |= !one->derived &&
			       rg_dependence_drifts(&one->noise.dependence, audit->tested);
		const rg_audit_series *alone = one;
		rg_components found;
		rg_audit_find_sources(&found, audit, &alone, 1);
		if (!rg_components_are_told(&found))
			continue;
		rg_components *kept = rg_arena_alloc(&audit->arena, sizeof(*kept));
		*kept = found;
		one->sources = kept;
	}
	rg_audit_all_series(audit, &series, &count);
	qsort(series, count, sizeof(*series), by_group_and_metric);
	find_dependence(audit, series, count);
	RG_EACH_SERIES(audit, one)
	{
		rg_tolerance_bound(&one->all.tolerance, one->drifts, audit->tested);
		rg_tolerance_bound(&one->noise.tolerance, one->drifts, audit->tested);
	}
	size_t end;
	for (size_t start = 0; start < count; start = end) {
		for (end = start + 1; end < count && series[end]->group == series[start]->group &&
				      !strcmp(series[end]->metric, series[start]->metric);)
			end++;
		rg_audit_summary *summary =
			RG_PUSH(audit->metrics, audit->metric_count, audit->metric_capacity);
		summary->metric = series[start]->metric;
		summary->derived = series[start]->derived;
		summary->group = series[start]->group;
		rg_audit_pool(summary, audit, series + start, end - start);
	}
	summarise_groups(audit, series, count);
}
