/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_columns.h"

#include "golden/records.h"

#include <math.h>
#include <string.h>

static rg_cell text(const char *value)
{
	return (rg_cell){.kind = RG_CELL_TEXT, .text = value, .length = strlen(value)};
}

static rg_cell count(uint64_t value)
{
	return (rg_cell){.kind = RG_CELL_COUNT, .count = value};
}

static rg_cell truth(bool value)
{
	return (rg_cell){.kind = RG_CELL_TRUTH, .truth = value};
}

static rg_cell step(bool known, int64_t value)
{
	return (rg_cell){.kind = known ? RG_CELL_STEP : RG_CELL_NONE, .step = value};
}

/* Where a series' runs are the farthest apart. */
static rg_cell widest_step(const rg_audit_series *series, const rg_spread *spread)
{
	char number[RG_STEP_TEXT];
	const char *name = rg_step_name(series->records, spread->widest_step, number);

	if (isnan(spread->widest) || name == number)
		return step(!isnan(spread->widest), spread->widest_step);
	return (rg_cell){.kind = RG_CELL_TEXT, .text = name, .length = strlen(name)};
}

static rg_cell number(bool known, double value)
{
	return (rg_cell){.kind = known && !isnan(value) ? RG_CELL_NUMBER : RG_CELL_NONE,
			 .number = value};
}

static const rg_audit_break *newest(const rg_audit_series *series)
{
	return series->break_count ? &series->breaks[series->break_count - 1] : NULL;
}

static rg_cell smallest_break(const rg_audit *audit, const rg_audit_series *series)
{
	double size = rg_audit_smallest_break(audit, series);
	return number(isfinite(size), size);
}

static rg_cell tolerance(const rg_audit_series *series, double value)
{
	return number(rg_tolerance_is_measured(&series->noise.tolerance), value);
}

/* One row a column: its name, its part, and its cell of a series. */
/* clang-format off */
#define COLUMNS(X) \
	X(group, NAMES, text(audit->groups[series->group].name)) \
	X(file, NAMES, text(series->file)) \
	X(metric, NAMES, text(series->metric)) \
	X(runs, COUNTS, count(series->runs)) \
	X(runs_without_it, COUNTS, count(series->missing)) \
	X(runs_with_other_steps, COUNTS, count(all->other_steps)) \
	X(runs_not_finite, COUNTS, count(all->nonfinite)) \
	X(steps, COUNTS, count(all->centre_count)) \
	X(break_at, BREAK, text(last ? audit->runs[last->at].id : "")) \
	X(break_p, BREAK, number(last, last ? last->p : NAN)) \
	X(break_p_adjusted, BREAK, number(last, last ? last->adjusted : NAN)) \
	X(regime_runs, REGIME, count(noise->runs)) \
	X(patterns, REGIME, count(noise->patterns)) \
	X(deterministic, REGIME, truth(noise->deterministic)) \
	X(may_still_differ, REGIME, \
	  number(noise->deterministic, rg_deterministic_bound(noise->runs))) \
	X(spread_min, FIGURES, number(true, spread->min)) \
	X(spread_median, FIGURES, number(true, spread->median)) \
	X(spread_p95, FIGURES, number(true, spread->p95)) \
	X(spread_max, FIGURES, number(true, spread->max)) \
	X(mad, FIGURES, number(true, spread->mad)) \
	X(std, FIGURES, number(true, spread->std)) \
	X(avg_rel_diff_low, FIGURES, number(true, spread->low)) \
	X(avg_rel_diff_high, FIGURES, number(true, spread->high)) \
	X(widest_step, FIGURES, widest_step(series, spread)) \
	X(widest, FIGURES, number(true, spread->widest)) \
	X(relative_tolerance, FIGURES, tolerance(series, noise->tolerance.relative)) \
	X(absolute_tolerance, FIGURES, tolerance(series, noise->tolerance.absolute)) \
	X(runs_failed_today, FAILED, count(series->failed_today)) \
	X(runs_failed_recommended, FAILED, \
	  rg_audit_recommended(series) ? count(series->failed_recommended) : number(false, 0)) \
	X(smallest_break, REGIME, smallest_break(audit, series))
/* clang-format on */

#define CELL(name, part, expression)                                                     \
	static rg_cell name##_cell(const rg_audit *audit, const rg_audit_series *series) \
	{                                                                                \
		const rg_figures *all = &series->all, *noise = &series->noise;           \
		const rg_spread *spread = &noise->spread;                                \
		const rg_audit_break *last = newest(series);                             \
                                                                                         \
		(void)audit;                                                             \
		(void)all;                                                               \
		(void)spread;                                                            \
		(void)last;                                                              \
		return expression;                                                       \
	}
COLUMNS(CELL)

#define COLUMN(name, part, expression) {#name, RG_AUDIT_##part, name##_cell},
const rg_audit_column rg_audit_columns[] = {COLUMNS(COLUMN){NULL, RG_AUDIT_NAMES, NULL}};
