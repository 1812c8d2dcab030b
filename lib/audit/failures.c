#include "audit/internal.h"

#include "audit/policy_text.h"
#include "compare/compare.h"

#include <stdlib.h>

/* Would a test under this policy have failed? A row that is flagged needs a person's look. */
static rg_error *fails(bool *out, const rg_metric *centre, const rg_metric *run,
		       const rg_policy *policy)
{
	bool is_row = false;
	rg_row row = {0};
	rg_arena arena;
	rg_error *err;

	rg_arena_init(&arena);
	err = rg_compare_metric(&row, &is_row, &arena, centre, run, policy);
	*out = !err && is_row && row.level >= RG_LEVEL_FLAG;
	rg_arena_release(&arena);
	return err;
}

static rg_error *recommended_policy(rg_policy **out, const rg_audit_series *series,
				    int64_t start_step)
{
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	const rg_tolerance *tolerance = series->break_count ? &series->noise.tolerance
							    : &series->all.tolerance;
	size_t count = rg_policy_entries(entries, tolerance, series->derived ? 0 : start_step), i;
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

rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
				  const rg_runs_table *table, const rg_runs_metric *metric,
				  const rg_audit_options *options)
{
	const rg_figures *figures = &series->noise;
	rg_metric centre = {.name = series->metric,
			    .kind = RG_METRIC_SERIES,
			    .count = figures->centre_count,
			    .steps = figures->centre_steps,
			    .values = figures->centre};
	double *values = calloc(figures->centre_count + 1, sizeof(*values));
	rg_policy *recommended = NULL;
	rg_metric run = centre;
	rg_error *err = NULL;
	size_t i;

	if (!values) {
		err = rg_error_nomem();
		goto done;
	}
	if ((err = recommended_policy(&recommended, series, options->tolerance.start_step)) != NULL)
		goto done;
	run.values = values;
	for (i = 0; i < series->row_count; i++) {
		const rg_runs_row *row = &metric->rows[i];
		bool today, then;

		if (!series->pooled[i] || metric->sets[row->steps].count != centre.count)
			continue;
		run.steps = metric->sets[row->steps].steps;
		if ((err = rg_spill_read(&table->values, row->place, centre.count, values)) ||
		    (err = fails(&today, &centre, &run, options->policy)) != NULL ||
		    (err = fails(&then, &centre, &run, recommended)) != NULL)
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
