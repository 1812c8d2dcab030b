/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"
#include "compare/compare.h"
#include "compare/score.h"

#include <math.h>
#include <stdlib.h>

/* Would a test under this policy have failed? A row that is flagged needs a person's look, and so
 * does a metric with a level that is no longer finite, be it at every step: that makes no row.
 */
static rg_error *fails(bool *out, const rg_metric *golden, const rg_metric *run,
		       const rg_policy *policy, const char *file)
{
	rg_metric_policy own;
	bool is_row = false;
	rg_row row = {0};
	RG_AUTO(rg_arena) arena = {0};
	RG_TRY(rg_compare_metric(&row, &is_row, &arena, golden, run, policy, file));
	rg_policy_resolve(policy, file, golden->name, &own);
	bool held = !isnan(own.flag) || !isnan(rg_score_fail_level(&own));
	*out = row.level >= RG_LEVEL_FLAG || (held && row.left_out.new_nonfinite);
	return NULL;
}

const rg_tolerance *rg_audit_recommended(const rg_audit_series *series)
{
	const rg_tolerance *tolerance = &series->noise.tolerance;
	return rg_tolerance_is_measured(tolerance) ? tolerance : NULL;
}

bool rg_audit_file_is_recommended(const rg_audit_file *file)
{
	for (size_t i = 0; i < file->series_count; i++)
		if (rg_audit_recommended(&file->series[i]))
			return true;
	return false;
}

typedef struct {
	double deviation;
	size_t row;
} placed_row;

RG_ORDER(by_deviation, placed_row, RG_RISING(deviation) || RG_RISING(row));

/* A golden is one run's values, not a median of many: the run in the middle is taken for it. */
static size_t middle_row(const rg_audit_series *series)
{
	RG_AUTO_FREE placed_row *rows = rg_calloc(series->row_count + 1, sizeof(*rows));
	size_t count = 0;
	for (size_t i = 0; i < series->row_count; i++)
		if (series->pooled[i] && !isnan(series->noise.deviations[i]))
			rows[count++] = (placed_row){series->noise.deviations[i], i};
	if (!count)
		return series->row_count;
	qsort(rows, count, sizeof(*rows), by_deviation);
	return rows[count / 2].row;
}

static rg_metric metric_of(const rg_runs_metric *metric, const rg_runs_row *row)
{
	return (rg_metric){.name = metric->name,
			   .kind = RG_METRIC_SERIES,
			   .count = metric->sets[row->steps].count,
			   .steps = metric->sets[row->steps].steps,
			   .values = row->values};
}

rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
				  const rg_runs_metric *metric, const rg_audit_options *options)
{
	const rg_tolerance *tolerance = rg_audit_recommended(series);
	RG_AUTO_PTR(rg_policy) recommended = NULL;
	size_t middle = middle_row(series);
	if (middle == series->row_count)
		return NULL;
	if (tolerance) {
		rg_policy_entry entries[RG_POLICY_ENTRIES];
		size_t count = rg_policy_entries(entries, tolerance);
		RG_AUTO_FREE char *pattern = NULL;
		recommended = rg_policy_new();
		RG_TRY(rg_policy_pattern(&pattern, series->metric));
		for (size_t i = 0; i < count; i++)
			RG_TRY(rg_policy_set(recommended, pattern, entries[i].key,
					     entries[i].value));
	}
	/* It has the steps that most have. */
	rg_metric golden = metric_of(metric, &metric->rows[middle]);
	for (size_t i = 0; i < series->row_count; i++) {
		const rg_runs_row *row = &metric->rows[i];
		bool today = false, then = false;

		/* Bad runs are not noise, but they fail. */
		if (row->run < series->regime_from || row->steps != metric->rows[middle].steps)
			continue;
		rg_metric run = metric_of(metric, row);
		RG_TRY(fails(&today, &golden, &run, options->policy, series->file));
		if (recommended)
			RG_TRY(fails(&then, &golden, &run, recommended, series->file));
		series->failed_today += today ? 1 : 0;
		series->failed_recommended += then ? 1 : 0;
		file->failed[row->run].today |= today;
		file->failed[row->run].recommended |= then;
	}
	return NULL;
}
