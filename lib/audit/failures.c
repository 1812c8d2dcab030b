#include "audit/internal.h"

#include "audit/policy_text.h"
#include "compare/compare.h"
#include "compare/score.h"

#include <math.h>
#include <stdlib.h>

/* Would a test under this policy have failed? A row that is flagged needs a person's look, and so
 * does a metric with a level that is not finite any more, be it at every step: that makes no row.
 */
static rg_error *fails(bool *out, const rg_metric *golden, const rg_metric *run,
		       const rg_policy *policy)
{
	rg_metric_policy own;
	bool is_row = false, held;
	rg_row row = {0};
	rg_arena arena;
	rg_error *err;

	rg_arena_init(&arena);
	err = rg_compare_metric(&row, &is_row, &arena, golden, run, policy);
	rg_policy_resolve(policy, golden->name, &own);
	held = !isnan(own.flag) || !isnan(rg_score_fail_level(&own, RG_ROW_SERIES));
	*out = !err && (row.level >= RG_LEVEL_FLAG || (held && row.left_out.new_nonfinite));
	rg_arena_release(&arena);
	return err;
}

static rg_error *recommended_policy(rg_policy **out, const rg_audit_series *series)
{
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	const rg_tolerance *tolerance = series->break_count ? &series->noise.tolerance
							    : &series->all.tolerance;
	size_t count = rg_policy_entries(entries, tolerance), i;
	char *pattern = NULL;
	rg_error *err;

	if ((err = rg_policy_new(out)) != NULL)
		return err;
	err = rg_policy_pattern(&pattern, series->metric);
	for (i = 0; !err && i < count; i++)
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

static int compare_placed(const void *a, const void *b)
{
	const placed_row *x = a, *y = b;

	if (x->deviation != y->deviation)
		return x->deviation > y->deviation ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

/* A golden is one run's values, not a median of many: the run in the middle stands for it. */
static rg_error *middle_row(const rg_audit_series *series, size_t *out)
{
	placed_row *rows = calloc(series->row_count + 1, sizeof(*rows));
	size_t count = 0, i;

	if (!rows)
		return rg_error_nomem();
	*out = series->row_count;
	for (i = 0; i < series->row_count; i++)
		if (series->pooled[i] && !isnan(series->noise.deviations[i]))
			rows[count++] = (placed_row){series->noise.deviations[i], i};
	if (count) {
		qsort(rows, count, sizeof(*rows), compare_placed);
		*out = rows[count / 2].row;
	}
	free(rows);
	return NULL;
}

rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
				  const rg_runs_table *table, const rg_runs_metric *metric,
				  const rg_audit_options *options)
{
	size_t count = series->noise.centre_count, middle, i;
	double *values = calloc(2 * count + 1, sizeof(*values));
	rg_policy *recommended = NULL;
	rg_metric golden = {
		.name = series->metric, .kind = RG_METRIC_SERIES, .count = count, .values = values};
	rg_metric run;
	rg_error *err = NULL;

	if (!values) {
		err = rg_error_nomem();
		goto done;
	}
	if ((err = middle_row(series, &middle)) != NULL || middle == series->row_count ||
	    (err = rg_spill_read(&table->values, metric->rows[middle].place, count, values)) ||
	    (err = recommended_policy(&recommended, series)) != NULL)
		goto done;
	/* It has the steps that most have. */
	golden.steps = metric->sets[metric->rows[middle].steps].steps;
	run = golden;
	run.values = values + count;
	for (i = 0; i < series->row_count; i++) {
		const rg_runs_row *row = &metric->rows[i];
		bool today, then;

		/* Bad runs are no noise, but they fail. */
		if (row->run < series->regime_from || row->steps != metric->rows[middle].steps)
			continue;
		if ((err = rg_spill_read(&table->values, row->place, count, values + count)) ||
		    (err = fails(&today, &golden, &run, options->policy)) != NULL ||
		    (err = fails(&then, &golden, &run, recommended)) != NULL)
			goto done;
		series->failed_today += today ? 1 : 0;
		series->failed_recommended += then ? 1 : 0;
		file->today[row->run] |= today;
		file->recommended[row->run] |= then;
	}
done:
	rg_policy_free(recommended);
	free(values);
	return err;
}
