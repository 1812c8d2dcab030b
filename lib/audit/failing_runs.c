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
	rg_arena arena;
	rg_arena_init(&arena);
	rg_error *err = rg_compare_metric(&row, &is_row, &arena, golden, run, policy, file);
	rg_policy_resolve(policy, file, golden->name, &own);
	bool held = !isnan(own.flag) || !isnan(rg_score_fail_level(&own));
	*out = !err && (row.level >= RG_LEVEL_FLAG || (held && row.left_out.new_nonfinite));
	rg_arena_release(&arena);
	return err;
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

static rg_error *recommended_policy(rg_policy **out, const rg_audit_series *series,
				    const rg_tolerance *tolerance)
{
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	size_t count = rg_policy_entries(entries, tolerance);
	char *pattern = NULL;
	rg_error *err;
	*out = rg_policy_new();
	err = rg_policy_pattern(&pattern, series->metric);
	for (size_t i = 0; !err && i < count; i++)
		err = rg_policy_set(*out, pattern, entries[i].key, entries[i].value);
	free(pattern);
	if (err) {
		rg_policy_free(*out);
		*out = NULL;
	}
	return err;
}

typedef struct {
	double deviation;
	size_t row;
} placed_row;

RG_ORDER(by_deviation, placed_row, RG_RISING(deviation) || RG_RISING(row));

/* A golden is one run's values, not a median of many: the run in the middle is taken for it. */
static size_t middle_row(const rg_audit_series *series)
{
	placed_row *rows = rg_calloc(series->row_count + 1, sizeof(*rows));
	size_t count = 0, middle = series->row_count;
	for (size_t i = 0; i < series->row_count; i++)
		if (series->pooled[i] && !isnan(series->noise.deviations[i]))
			rows[count++] = (placed_row){series->noise.deviations[i], i};
	if (count) {
		qsort(rows, count, sizeof(*rows), by_deviation);
		middle = rows[count / 2].row;
	}
	free(rows);
	return middle;
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
	rg_policy *recommended = NULL;
	rg_error *err = NULL;
	size_t middle = middle_row(series);
	if (middle == series->row_count)
		return NULL;
	if (tolerance)
		RG_TRY(recommended_policy(&recommended, series, tolerance));
	/* It has the steps that most have. */
	rg_metric golden = metric_of(metric, &metric->rows[middle]);
	for (size_t i = 0; !err && i < series->row_count; i++) {
		const rg_runs_row *row = &metric->rows[i];
		bool today = false, then = false;

		/* Bad runs are not noise, but they fail. */
		if (row->run < series->regime_from || row->steps != metric->rows[middle].steps)
			continue;
		rg_metric run = metric_of(metric, row);
		err = fails(&today, &golden, &run, options->policy, series->file);
		if (!err && recommended)
			err = fails(&then, &golden, &run, recommended, series->file);
		series->failed_today += today ? 1 : 0;
		series->failed_recommended += then ? 1 : 0;
		file->failed[row->run].today |= today;
		file->failed[row->run].recommended |= then;
	}
	rg_policy_free(recommended);
	return err;
}
