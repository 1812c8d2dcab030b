/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"
#include "report/audit_report.h"

#include "golden/records.h"
#include "report/cells.h"

#include <math.h>
#include <stddef.h>

/* --- columns --- */

/* The step at which a series' runs are the farthest apart. */
static rg_cell widest_step(const rg_audit_series *series, const rg_spread *spread)
{
	char number[RG_STEP_TEXT];
	const char *name = rg_step_name(series->records, spread->widest_step, number);

	if (isnan(spread->widest) || name == number)
		return rg_step_cell(!isnan(spread->widest), spread->widest_step);
	return rg_text_cell(name);
}

static rg_cell figure(double value)
{
	return rg_number_cell(!isnan(value), value);
}

static const rg_audit_break *newest(const rg_audit_series *series)
{
	return series->break_count ? &series->breaks[series->break_count - 1] : NULL;
}

static rg_cell smallest_break(const rg_audit *audit, const rg_audit_series *series)
{
	double size = rg_audit_smallest_break(audit, series);
	return rg_number_cell(isfinite(size), size);
}

static rg_cell tolerance(const rg_audit_series *series, double value)
{
	return rg_number_cell(rg_tolerance_holds(&series->noise.tolerance), value);
}

/* One row a column of the CSV: its name, and its cell of a series. */
/* clang-format off */
#define COLUMNS(X) \
	X(group, rg_text_cell(audit->groups[series->group].name)) \
	X(file, rg_text_cell(series->file)) \
	X(metric, rg_text_cell(series->metric)) \
	X(runs, rg_count_cell(series->runs)) \
	X(runs_without_it, rg_count_cell(series->missing)) \
	X(runs_with_other_steps, rg_count_cell(all->other_steps)) \
	X(runs_not_finite, rg_count_cell(all->nonfinite)) \
	X(steps, rg_count_cell(all->centre_count)) \
	X(break_at, rg_text_cell(last ? audit->runs[last->at].id : "")) \
	X(break_p, figure(last ? rg_audit_chance(audit, last->p) : NAN)) \
	X(break_p_adjusted, figure(last ? rg_audit_chance(audit, last->adjusted) : NAN)) \
	X(regime_runs, rg_count_cell(noise->runs)) \
	X(patterns, rg_count_cell(noise->patterns)) \
	X(deterministic, rg_truth_cell(noise->deterministic)) \
	X(may_still_differ, rg_number_cell(noise->deterministic, rg_deterministic_bound(noise->runs))) \
	X(spread_min, figure(spread->min)) \
	X(spread_median, figure(spread->median)) \
	X(spread_p95, figure(spread->p95)) \
	X(spread_max, figure(spread->max)) \
	X(mad, figure(spread->mad)) \
	X(std, figure(spread->std)) \
	X(avg_rel_diff_low, figure(spread->low)) \
	X(avg_rel_diff_high, figure(spread->high)) \
	X(widest_step, widest_step(series, spread)) \
	X(widest, figure(spread->widest)) \
	X(relative_tolerance, tolerance(series, noise->tolerance.relative)) \
	X(absolute_tolerance, tolerance(series, noise->tolerance.absolute)) \
	X(runs_failed_today, rg_count_cell(series->failed_today)) \
	X(runs_failed_recommended, rg_audit_recommended(series) ? rg_count_cell(series->failed_recommended) : (rg_cell){0}) \
	X(smallest_break, smallest_break(audit, series))
/* clang-format on */

#define CELL(name, expression)                                                  \
	static rg_cell name##_cell(const void *of_series, const void *of_audit) \
	{                                                                       \
		const rg_audit *audit = of_audit;                               \
		const rg_audit_series *series = of_series;                      \
		const rg_figures *all = &series->all, *noise = &series->noise;  \
		const rg_spread *spread = &noise->spread;                       \
		const rg_audit_break *last = newest(series);                    \
                                                                                \
		(void)audit;                                                    \
		(void)all;                                                      \
		(void)spread;                                                   \
		(void)last;                                                     \
		return expression;                                              \
	}
COLUMNS(CELL)

#define COLUMN(name, expression) {#name, 0, NULL, name##_cell},
static const rg_column audit_columns[] = {COLUMNS(COLUMN){0}};

rg_error *rg_audit_csv(rg_buf *out, const rg_audit *audit)
{
	rg_column_list columns = {0};

	for (const rg_column *column = audit_columns; column->name; column++)
		columns.items[columns.count++] = column;
	rg_csv_heading(out, &columns);
	for (size_t i = 0; i < audit->file_count; i++)
		for (size_t j = 0; j < audit->files[i].series_count; j++)
			rg_csv_row(out, &columns, &audit->files[i].series[j], audit);
	return rg_buf_check(out, "the audit as CSV");
}
