/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_report.h"

#include "golden/records.h"
#include "report/cells.h"
#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- columns --- */

/* The columns of an audit's series: CSV has them all, in this order; JSON writes them part by part,
 * each column's flag. */
enum {
	AUDIT_NAMES,   /* group, file, metric: CSV alone */
	AUDIT_COUNTS,  /* runs, and steps */
	AUDIT_BREAK,   /* the newest one: CSV alone */
	AUDIT_REGIME,  /* patterns among the newest regime's runs */
	AUDIT_FIGURES, /* the spread and the tolerances: CSV alone, as JSON has them in objects */
	AUDIT_FAILED,
};

/* Where a series' runs are the farthest apart. */
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

/* One row a column: its name, its part, and its cell of a series. */
/* clang-format off */
#define COLUMNS(X) \
	X(group, NAMES, rg_text_cell(audit->groups[series->group].name)) \
	X(file, NAMES, rg_text_cell(series->file)) \
	X(metric, NAMES, rg_text_cell(series->metric)) \
	X(runs, COUNTS, rg_count_cell(series->runs)) \
	X(runs_without_it, COUNTS, rg_count_cell(series->missing)) \
	X(runs_with_other_steps, COUNTS, rg_count_cell(all->other_steps)) \
	X(runs_not_finite, COUNTS, rg_count_cell(all->nonfinite)) \
	X(steps, COUNTS, rg_count_cell(all->centre_count)) \
	X(break_at, BREAK, rg_text_cell(last ? audit->runs[last->at].id : "")) \
	X(break_p, BREAK, figure(last ? last->p : NAN)) \
	X(break_p_adjusted, BREAK, figure(last ? last->adjusted : NAN)) \
	X(regime_runs, REGIME, rg_count_cell(noise->runs)) \
	X(patterns, REGIME, rg_count_cell(noise->patterns)) \
	X(deterministic, REGIME, rg_truth_cell(noise->deterministic)) \
	X(may_still_differ, REGIME, \
	  rg_number_cell(noise->deterministic, rg_deterministic_bound(noise->runs))) \
	X(spread_min, FIGURES, figure(spread->min)) \
	X(spread_median, FIGURES, figure(spread->median)) \
	X(spread_p95, FIGURES, figure(spread->p95)) \
	X(spread_max, FIGURES, figure(spread->max)) \
	X(mad, FIGURES, figure(spread->mad)) \
	X(std, FIGURES, figure(spread->std)) \
	X(avg_rel_diff_low, FIGURES, figure(spread->low)) \
	X(avg_rel_diff_high, FIGURES, figure(spread->high)) \
	X(widest_step, FIGURES, widest_step(series, spread)) \
	X(widest, FIGURES, figure(spread->widest)) \
	X(relative_tolerance, FIGURES, tolerance(series, noise->tolerance.relative)) \
	X(absolute_tolerance, FIGURES, tolerance(series, noise->tolerance.absolute)) \
	X(runs_failed_today, FAILED, rg_count_cell(series->failed_today)) \
	X(runs_failed_recommended, FAILED, \
	  rg_audit_recommended(series) ? rg_count_cell(series->failed_recommended) : (rg_cell){0}) \
	X(smallest_break, REGIME, smallest_break(audit, series))
/* clang-format on */

#define CELL(name, part, expression)                                            \
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

#define COLUMN(name, part, expression) {#name, AUDIT_##part, NULL, name##_cell},
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

/* --- JSON: the keys --- */

/* SIZE_MAX: there is none. */
static const char *run_id(const void *context, size_t run)
{
	const rg_audit *audit = context;
	return run == SIZE_MAX ? NULL : audit->runs[run].id;
}

static const char *group_name(const void *context, size_t group)
{
	const rg_audit *audit = context;
	return audit->groups[group].name;
}

static const char *const odd_run_names[] = {"bad", "oldest", "newest"};

static const rg_json_field metadata_fields[] = {
	RG_SAID("num_runs", COUNT, "Runs."),
	RG_SAID("result_files", TEXTS, "Their names."),
	RG_SAID_OR_NULL(
		"confidence_multiplier", NUMBER,
		"The margin of tolerances; null where they are by the rate at which they fail."),
	RG_SAID_OR_NULL("fail_rate", NUMBER,
			"The rate at which fresh runs may fail; null where tolerances are by a "
			"multiplier."),
	RG_SAID("start_step", WHOLE, "The first step that tolerances count."),
	RG_SAID_WORD("group_by", ALWAYS, rg_audit_grouping_names, "What makes runs comparable."),
	{0}};

static const rg_json_field run_fields[] = {RG_SAID("id", TEXT, "Its number, a commit or a path."),
					   RG_SAID_OR_NULL("when", TEXT, "When it began."),
					   RG_SAID_OR_NULL("branch", TEXT, "Its branch."),
					   RG_SAID_OR_NULL("commit", TEXT, "Its commit."),
					   {0}};

static const rg_json_field group_fields[] = {
	RG_SAID("name", TEXT, "'all', a branch, or a commit."),
	RG_SAID("runs", COUNTS, "Places in the list of runs, counted from 0."),
	{0}};

#define OF rg_audit_common_break
static const rg_json_field common_break_fields[] = {
	RG_KEY_NAMED("from_run", run, RG_JSON_ALWAYS, run_id, "The first run after the break."),
	RG_KEY_AS("series_that_moved", series,
		  "Series that moved there, by a test of their own at 5 %."),
	RG_KEY_AS("of_series", of, "Series that were looked at."),
	RG_KEY(p, "The share of orders of whole runs in which the series move as much together."),
	{0}};
#undef OF

#define OF rg_audit_odd_run
static const rg_json_field odd_run_fields[] = {
	RG_KEY_NAMED("run", run, RG_JSON_ALWAYS, run_id, "The run."),
	RG_KEY_WORD("kind", kind, odd_run_names,
		    "'bad' with others before and after it that are not; at an end it may also be "
		    "a break."),
	RG_KEY_AS("far_out_in", series, "Series in which it is far out."),
	RG_KEY_AS("of_series", of, "Series in which it was measured."),
	RG_KEY_AS("in_files", files, "Files with such a series."),
	{0}};
#undef OF

#define OF rg_audit_unreadable
static const rg_json_field unreadable_fields[] = {
	RG_KEY_NAMED("run", run, RG_JSON_ALWAYS, run_id, "The run."),
	RG_KEY_AS("file", path, "The golden."),
	RG_KEY(why, "What is wrong with it."),
	{0}};
#undef OF

static void put_opaque(rg_json_out *json, const void *from, const void *context)
{
	const rg_audit *audit = from;
	(void)context;
	rg_json_open(json, '[');
	for (size_t i = 0; i < audit->opaque_count; i++)
		rg_json_text(json, audit->opaque[i].path);
	rg_json_close(json, ']');
}

#define OF rg_audit
static const rg_json_field finding_fields[] = {
	RG_KEY_AS("error_rate", options.error_rate, "The chance of any false break."),
	RG_KEY_AS("series_tested_for_breaks", tested, "Series in which a break was looked for."),
	RG_KEY_AS("series_that_could_show_one", divided_by,
		  "Of these, as many as the rate was divided by: the others have too few runs to "
		  "show any."),
	RG_KEY_AS("series_with_a_break", broken, "Series with one."),
	RG_KEY_LIST("common_breaks", common_breaks, common_count, common_break_fields,
		    "Runs from which on many series are others."),
	RG_KEY_LIST("odd_runs", odd_runs, odd_count, odd_run_fields,
		    "Runs that are far out in many series."),
	RG_PUT("opaque", TEXTS, ALWAYS, NULL, put_opaque,
	       "Goldens that no reader takes: there is nothing to measure."),
	RG_KEY_LIST("unreadable", unreadable, unreadable_count, unreadable_fields,
		    "Goldens that could not be read."),
	{0}};
#undef OF

#define OF rg_spread
static const rg_json_field spread_fields[] = {
	RG_SAID("runs", COUNT, "Runs that were measured."),
	RG_KEY_OR_NULL(min, "The least deviation."),
	RG_KEY_OR_NULL(median, "The median."),
	RG_KEY_OR_NULL(p95, "The 95th percentile."),
	RG_KEY_OR_NULL(max, "The largest."),
	RG_KEY_OR_NULL(mad, "The median absolute deviation."),
	RG_KEY_OR_NULL(std, "The standard deviation."),
	RG_KEY_IF("avg_rel_diff_low", low, RG_JSON_OR_NULL,
		  "The least avg_rel_diff from the centre."),
	RG_KEY_IF("avg_rel_diff_high", high, RG_JSON_OR_NULL, "The largest."),
	RG_KEY_FINITE("widest", widest, "The widest spread of a step."),
	RG_SAID_OR_NULL("widest_step", STEP, "That step, or the key of that record of a table."),
	{0}};
#undef OF

static void put_spread(rg_json_out *json, const rg_spread *spread, size_t runs,
		       const rg_records *records)
{
	char number[RG_STEP_TEXT];
	rg_json_open_flat(json, '{');
	rg_json_key_count(json, "runs", runs);
	rg_json_put_fields(json, spread_fields, spread, NULL);
	rg_json_key(json, "widest_step");
	if (isfinite(spread->widest) && records)
		rg_json_text(json, rg_step_name(records, spread->widest_step, number));
	else if (isfinite(spread->widest))
		rg_json_integer(json, spread->widest_step);
	else
		rg_json_null(json);
	rg_json_close(json, '}');
}

#define OF rg_components
static const rg_json_field source_fields[] = {
	RG_KEY_OR_NULL(variants, "Between variants of a test; null: the runs are of one."),
	RG_KEY_OR_NULL(commits,
		       "Between commits; null where they are not told apart from re-runs."),
	RG_KEY_OR_NULL(reruns, "Between runs of one commit; null where these are not told apart."),
	RG_KEY_IF("reruns_at_least", reruns_low, RG_JSON_OR_NULL,
		  "The low end of 95 % for the re-runs' share."),
	RG_KEY_IF("reruns_at_most", reruns_high, RG_JSON_OR_NULL, "The high end."),
	{0}};
#undef OF

static const rg_json_field tolerance_fields[] = {
	RG_SAID_OR_NULL("relative_tolerance", NUMBER,
			"null: too few runs, or over 1, which would let anything pass."),
	RG_SAID_OR_NULL("absolute_tolerance", NUMBER, "null where the relative one is."),
	RG_SAID_OPTIONAL("by_theory", TRUTH,
			 "Whether it takes the noise to be lognormal, for want of runs."),
	RG_SAID_OPTIONAL("fails_at_least", NUMBER,
			 "How often fresh runs fail: the lower end of the interval of 95 %."),
	RG_SAID_OPTIONAL("fails_at_most", NUMBER, "Its upper end."),
	RG_SAID("max_observed_relative_variance", NUMBER,
		"The largest relative deviation, rounded to 6 places."),
	RG_SAID("max_observed_absolute_variance", NUMBER,
		"The largest absolute deviation, rounded to 6 places."),
	RG_SAID("steps_included", COUNT, "Steps that counted."),
	RG_SAID("by", TEXT, "What a test holds to it."),
	{0}};

static void put_summary_spread(rg_json_out *json, const void *from, const void *context)
{
	const rg_audit_summary *summary = from;
	(void)context;
	put_spread(json, &summary->spread, summary->measured, summary->records);
}

#define OF rg_audit_summary
static const rg_json_field summary_fields[] = {
	RG_KEY_OPTIONAL(metric, "The metric's name; only under metrics."),
	RG_KEY_NAMED("group", group, RG_JSON_ALWAYS, group_name, "The group of runs."),
	RG_KEY(files, "Files."),
	RG_KEY(runs, "Runs."),
	RG_KEY(steps, "Steps, over all files."),
	RG_KEY_AS("deterministic_series", deterministic,
		  "Files in which all runs agree to the bit."),
	RG_KEY_AS("most_patterns", patterns, "The most different series that one file has."),
	RG_KEY_AS("series_with_a_break", broken, "Files with a break."),
	RG_PUT("spread", OBJECT, ALWAYS, spread_fields, put_summary_spread,
	       "How far runs are from their centre; null where nothing was measured."),
	RG_KEY_OR_NULL(widest_file, "The file that spreads most."),
	RG_SAID_OF("sources", OBJECT, EITHER, source_fields,
		   "What the runs differ by, relative to how large they are, comes from; null: not "
		   "told apart. Only under metrics."),
	RG_SAID_OF("smallest_break", NUMBER, EITHER, NULL,
		   "Half of its series would have shown a break this large; null: none of "
		   "any size. Only under metrics."),
	RG_SAID_OF("recommended_tolerance", OBJECT, OPTIONAL, tolerance_fields,
		   "What a metric can be held to."),
	{0}};
#undef OF

static const rg_json_field statistic_fields[] = {
	RG_SAID("num_samples", COUNT, "The most runs that a step has."),
	RG_SAID_OPTIONAL("first_step", INTEGER,
			 "The first of the steps that the lists are of, if each follows the one "
			 "before."),
	RG_SAID_OPTIONAL("steps", STEPS, "Those steps, if they do not, or the names of records."),
	RG_SAID_OPTIONAL("value", NUMBERS,
			 "Where all runs agree at each step: their value; then min, max, mean and "
			 "std are not there."),
	RG_SAID_OPTIONAL("min", NUMBERS, "The least values."),
	RG_SAID_OPTIONAL("max", NUMBERS, "The largest."),
	RG_SAID_OPTIONAL("mean", NUMBERS, "The means, in 12 digits."),
	RG_SAID_OPTIONAL("std", NUMBERS, "The standard deviations, in 3 digits."),
	RG_SAID_OPTIONAL("count", COUNTS, "Runs, where not all steps have num_samples of them."),
	{0}};

#define OF rg_audit_break
static const rg_json_field break_fields[] = {
	RG_KEY_NAMED("from_run", at, RG_JSON_ALWAYS, run_id, "The first run after the break."),
	RG_KEY_NAMED("first_run", first, RG_JSON_ALWAYS, run_id,
		     "The break may be before this run already, with 95 % confidence."),
	RG_KEY_NAMED("last_run", last, RG_JSON_ALWAYS, run_id, "And is not after this one."),
	RG_KEY_AS("runs_before", before, "Runs before it."),
	RG_KEY_AS("runs_after", after, "Runs after it."),
	RG_KEY(p, "The p value."),
	RG_KEY_AS("p_adjusted", adjusted, "The same, adjusted for all series that were tested."),
	RG_KEY_WORD("test", test, rg_change_test_names,
		    "What p comes from: 'normal' takes the values to be normal."),
	RG_KEY_AS("with_many_series", common,
		  "Whether it was found in many series together; p is theirs then."),
	RG_KEY(shift, "By how much the deviations moved."),
	RG_KEY_AS("size", size.size,
		  "By how much the runs' means moved, in the metric's unit: the median of all "
		  "differences."),
	RG_KEY_AS("size_low", size.low, "The lower end of its interval of 95 %."),
	RG_KEY_AS("size_high", size.high, "The upper end."),
	{0}};
#undef OF

#define OF rg_dependence
static const rg_json_field dependence_fields[] = {
	RG_KEY_FINITE("trend", trend,
		      "Kendall's rank correlation of the runs' avg_rel_diff from the median with "
		      "their order: negative where values grow; null: all are equal."),
	RG_KEY_IF("trend_p", p, RG_JSON_FINITE,
		  "How often chance alone makes it as large (Mann, Kendall)."),
	RG_KEY_FINITE("lag1", lag1, "The autocorrelation of their ranks at lag 1."),
	{0}};
#undef OF

static const rg_json_field series_fields[] = {
	RG_SAID("runs", COUNT, "Runs that have it."),
	RG_SAID("runs_without_it", COUNT, "Runs that have the file but not the metric."),
	RG_SAID("runs_with_other_steps", COUNT, "Runs with other steps."),
	RG_SAID("runs_not_finite", COUNT, "Runs that are not finite where others are."),
	RG_SAID("steps", COUNT, "Steps in common."),
	RG_SAID_OF("breaks", LIST, ALWAYS, break_fields, "Its breaks, in order of time."),
	RG_SAID_OPTIONAL("regime_from", TEXT,
			 "The first run of the newest regime; missing: no break."),
	RG_SAID("regime_runs", COUNT, "Runs in the newest regime."),
	RG_SAID("patterns", COUNT, "Different series among them."),
	RG_SAID_OPTIONAL("deterministic", TRUTH, "Whether all agree to the bit; missing: no."),
	RG_SAID_OPTIONAL("may_still_differ", NUMBER,
			 "How often a run may still differ; missing unless deterministic."),
	RG_SAID_OPTIONAL("smallest_break", NUMBER,
			 "A break of the newest regime this large, relative, would have been found "
			 "in 80 % of cases; missing: none of any size."),
	RG_SAID_OF("spread", OBJECT, ALWAYS, spread_fields,
		   "How far runs are from their centre; null where nothing was measured."),
	RG_SAID_OF("sources", OBJECT, OPTIONAL, source_fields,
		   "What the runs differ by, relative to how large they are, comes from; missing: "
		   "not told apart."),
	RG_SAID_OF("dependence", OBJECT, ALWAYS, dependence_fields,
		   "Whether runs depend on their order."),
	RG_SAID_OF("regime_tolerance", OBJECT, OPTIONAL, tolerance_fields,
		   "Over the newest regime without bad runs, where that has another one: what is "
		   "recommended."),
	RG_SAID("runs_failed_today", COUNT, "Runs that today's tolerance would have failed."),
	RG_SAID_OPTIONAL(
		"runs_failed_recommended", COUNT,
		"Runs that the recommended one would have failed; missing: there is none."),
	{0}};

#define OF rg_audit_file
static const rg_json_field file_fields[] = {
	RG_KEY_AS("file", path, "The golden's path."),
	RG_KEY_NAMED("group", group, RG_JSON_ALWAYS, group_name, "The group of runs."),
	RG_KEY(runs, "Runs that have it."),
	RG_KEY_AS("runs_failed_today", failed_today,
		  "Runs that today's tolerances would have failed."),
	RG_SAID_OR_NULL("runs_failed_recommended", COUNT,
			"Runs that the recommended ones would have failed."),
	RG_SAID_OF("statistics", MAP, ALWAYS, statistic_fields, "By metric."),
	RG_SAID_OF("recommended_tolerances", MAP, ALWAYS, tolerance_fields, "By metric."),
	RG_SAID_OF("noise", MAP, ALWAYS, series_fields, "By metric."),
	{0}};
#undef OF

#define OF rg_audit_case
static const rg_json_field case_fields[] = {
	RG_KEY_AS("case", name, "FLOW/TEST ID/SUBTEST."),
	RG_KEY(file, "The report."),
	RG_KEY_NAMED("group", group, RG_JSON_ALWAYS, group_name, "The group of runs."),
	RG_KEY(passed, "Runs in which it passed."),
	RG_KEY(failed, "Runs in which it failed."),
	RG_KEY(skipped, "Runs in which it was skipped."),
	RG_KEY(detail, "What its newest failure says."),
	RG_KEY(turns, "How often it went from passing to failing or back, from run to run."),
	RG_SAID("flaky", TEXT,
		"Whether it passed and failed on one commit, or turned three times or more."),
	RG_SAID_OR_NULL("flaky_commit", TEXT, "That commit; null: there is none."),
	RG_SAID_OR_NULL("flaky_passed_in", TEXT, "A run in which it passed there."),
	RG_SAID_OR_NULL("flaky_failed_in", TEXT, "A run in which it failed there."),
	RG_SAID_OR_NULL("first_failed_in", TEXT, "The first run in which it failed."),
	RG_SAID_OR_NULL("failing_since", TEXT,
			"The first of the failures that last; null: it passes."),
	{0}};
#undef OF

static const rg_json_field cases_fields[] = {
	RG_SAID("total", COUNT, "Test cases."),
	RG_SAID_OF("failed", LIST, ALWAYS, case_fields, "Those that failed in some run."),
	{0}};

const rg_json_field rg_audit_fields[] = {
	RG_SAID_OF("metadata", OBJECT, ALWAYS, metadata_fields, "How it was measured."),
	RG_SAID_OF("runs", LIST, ALWAYS, run_fields, "The runs, in order of time."),
	RG_SAID_OF("groups", LIST, ALWAYS, group_fields, "Runs that are comparable."),
	RG_SAID_OF("findings", OBJECT, ALWAYS, finding_fields, "What stands out."),
	RG_SAID_OF("overall", LIST, ALWAYS, summary_fields, "Each group, over all metrics."),
	RG_SAID_OF("metrics", LIST, ALWAYS, summary_fields,
		   "Each metric of a group, over all files."),
	RG_SAID_OF("files", LIST, ALWAYS, file_fields, "Each file in each group."),
	RG_SAID_OF("cases", OBJECT, OPTIONAL, cases_fields, "Only with reports of backend tests."),
	RG_SAID("story", VIEW,
		"What the summary and the page are rendered from: data of their templates, which "
		"change with these."),
	{0}};

static void put_metadata(rg_json_out *json, const rg_audit *audit)
{
	rg_json_key_open(json, "metadata", '{');
	rg_json_key_count(json, "num_runs", audit->run_count);
	rg_json_key_open(json, "result_files", '[');
	for (size_t i = 0; i < audit->run_count; i++)
		rg_json_text(json, audit->runs[i].id);
	rg_json_close(json, ']');
	rg_json_key_defined(json, "confidence_multiplier", audit->options.tolerance.fail_rate <= 0,
			    audit->options.tolerance.multiplier);
	rg_json_key_defined(json, "fail_rate", audit->options.tolerance.fail_rate > 0,
			    audit->options.tolerance.fail_rate);
	rg_json_key(json, "start_step");
	rg_json_integer(json, audit->options.tolerance.start_step);
	rg_json_key_text(json, "group_by", rg_audit_grouping_names[audit->options.grouping]);
	rg_json_close(json, '}');
}

static void put_runs(rg_json_out *json, const rg_audit *audit)
{
	rg_json_key_open(json, "runs", '[');
	for (size_t i = 0; i < audit->run_count; i++) {
		const rg_audit_run *run = &audit->runs[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "id", run->id);
		rg_json_key_text(json, "when", *run->when ? run->when : NULL);
		rg_json_key_text(json, "branch", *run->branch ? run->branch : NULL);
		rg_json_key_text(json, "commit", *run->commit ? run->commit : NULL);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_open(json, "groups", '[');
	for (size_t i = 0; i < audit->group_count; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "name", audit->groups[i].name);
		rg_json_key_open(json, "runs", '[');
		for (size_t j = 0; j < audit->groups[i].run_count; j++)
			rg_json_count(json, audit->groups[i].runs[j]);
		rg_json_close(json, ']');
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

/* Digits that the mean of a step has, and its standard deviation: more of them say nothing, and
 * they are most of a long history's audit. */
enum { MEAN_DIGITS = 12, STD_DIGITS = 3 };

typedef struct {
	const char *key;
	size_t offset; /* into rg_sample */
	int digits;    /* 0: all */
} step_column;

static const step_column step_columns[] = {
	{"min", offsetof(rg_sample, min), 0},
	{"max", offsetof(rg_sample, max), 0},
	{"mean", offsetof(rg_sample, mean), MEAN_DIGITS},
	{"std", offsetof(rg_sample, std), STD_DIGITS},
	{0},
};

static double round_digits(double value, int digits)
{
	char text[40];
	if (!digits || !isfinite(value))
		return value;
	snprintf(text, sizeof(text), "%.*g", digits, value);
	return strtod(text, NULL);
}

/* One figure of each step that some run has; `key` may be another than the column's. */
static void put_step_column(rg_json_out *json, const rg_figures *figures, const char *key,
			    const step_column *column)
{
	rg_json_key_open_flat(json, key, '[');
	for (size_t i = 0; i < figures->step_count; i++) {
		const rg_sample *sample = &figures->steps[i].sample;
		if (sample->count)
			rg_json_number(json, round_digits(*(const double *)((const char *)sample +
									    column->offset),
							  column->digits));
	}
	rg_json_close(json, ']');
}

/* Does each step that some run has follow the one before? */
static bool are_in_a_row(const rg_figures *figures)
{
	const rg_step_figures *steps = figures->steps;
	size_t count = figures->step_count;
	bool all = count > 0 && steps[count - 1].step - steps[0].step == (int64_t)(count - 1);
	for (size_t i = 0; i < count; i++)
		all &= steps[i].sample.count > 0;
	return all;
}

/* Steps are numbers, or the names of what they are the places of. */
static void put_step_list(rg_json_out *json, const rg_audit_series *series)
{
	char number[RG_STEP_TEXT];
	if (!series->derived && !series->records && are_in_a_row(&series->all)) {
		rg_json_key(json, "first_step");
		rg_json_integer(json, series->all.steps[0].step);
		return;
	}
	rg_json_key_open_flat(json, "steps", '[');
	for (size_t i = 0; i < series->all.step_count; i++) {
		int64_t step = series->all.steps[i].step;
		if (!series->all.steps[i].sample.count)
			continue;
		if (series->derived)
			rg_json_text(json, rg_derived_step_name(step));
		else if (series->records)
			rg_json_text(json, rg_step_name(series->records, step, number));
		else
			rg_json_integer(json, step);
	}
	rg_json_close(json, ']');
}

/* Columns by step. Where all runs agree at each step there is one: "value". Where runs lack steps,
 * "count" is there as well. */
static void put_statistics(rg_json_out *json, const rg_audit_series *series)
{
	const rg_figures *figures = &series->all;
	bool alike = true, complete = true;
	size_t most = 0;

	for (size_t i = 0; i < figures->step_count; i++)
		if (figures->steps[i].sample.count > most)
			most = figures->steps[i].sample.count;
	for (size_t i = 0; i < figures->step_count; i++) {
		const rg_sample *sample = &figures->steps[i].sample;
		alike &= !sample->count || sample->min == sample->max;
		complete &= !sample->count || sample->count == most;
	}
	rg_json_key_open(json, series->metric, '{');
	rg_json_key_count(json, "num_samples", most);
	put_step_list(json, series);
	if (alike)
		put_step_column(json, figures, "value", &step_columns[0]);
	for (const step_column *column = step_columns; !alike && column->key; column++)
		put_step_column(json, figures, column->key, column);
	if (!complete) {
		rg_json_key_open_flat(json, "count", '[');
		for (size_t i = 0; i < figures->step_count; i++)
			if (figures->steps[i].sample.count)
				rg_json_count(json, figures->steps[i].sample.count);
		rg_json_close(json, ']');
	}
	rg_json_close(json, '}');
}

static void put_tolerance(rg_json_out *json, const char *key, const rg_tolerance *tolerance)
{
	bool holds = rg_tolerance_holds(tolerance);
	rg_json_key_open_flat(json, key, '{');
	rg_json_key_defined(json, "relative_tolerance", holds, tolerance->relative);
	rg_json_key_defined(json, "absolute_tolerance", holds, tolerance->absolute);
	if (tolerance->by_rate) {
		rg_json_key_truth(json, "by_theory", tolerance->by_theory);
		rg_json_key_number(json, "fails_at_least", tolerance->fail_low);
		rg_json_key_number(json, "fails_at_most", tolerance->fail_high);
	}
	rg_json_key_number(json, "max_observed_relative_variance",
			   rg_round_places(tolerance->max_relative, 6));
	rg_json_key_number(json, "max_observed_absolute_variance",
			   rg_round_places(tolerance->max_absolute, 6));
	rg_json_key_count(json, "steps_included", tolerance->included);
	rg_json_key_text(json, "by", rg_tolerance_kind_text(tolerance->kind));
	rg_json_close(json, '}');
}

/* Null where nothing is told apart. */
static void put_sources(rg_json_out *json, const rg_components *sources)
{
	const bool reruns = sources && !isnan(sources->reruns);
	rg_json_key(json, "sources");
	if (!sources || !rg_components_are_told(sources)) {
		rg_json_null(json);
		return;
	}
	rg_components told = *sources;
	if (!reruns)
		told.commits = told.reruns_low = told.reruns_high = NAN;
	rg_json_open_flat(json, '{');
	rg_json_put_fields(json, source_fields, &told, NULL);
	rg_json_close(json, '}');
}

static void put_dependence(rg_json_out *json, const rg_dependence *dependence)
{
	rg_json_key_open_flat(json, "dependence", '{');
	rg_json_put_fields(json, dependence_fields, dependence, NULL);
	rg_json_close(json, '}');
}

/* What a series has not is most of what could be said of all series of a long history: it is left
 * out. */
static void put_columns(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series,
			unsigned part)
{
	const rg_column *column;
	for (column = audit_columns; column->name; column++) {
		rg_cell cell = column->cell(series, audit);
		if (column->flags != part || cell.kind == RG_CELL_NONE ||
		    (cell.kind == RG_CELL_TRUTH && !cell.truth))
			continue;
		rg_json_key(json, column->name);
		rg_json_cell(json, &cell);
	}
}

static void put_series(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	rg_json_key_open(json, series->metric, '{');
	put_columns(json, audit, series, AUDIT_COUNTS);
	rg_json_key_list(json, "breaks", break_fields, series->breaks, series->break_count,
			 sizeof(*series->breaks), audit);
	if (series->break_count)
		rg_json_key_text(json, "regime_from", audit->runs[series->regime_from].id);
	put_columns(json, audit, series, AUDIT_REGIME);
	rg_json_key(json, "spread");
	put_spread(json, &noise->spread, noise->measured, series->records);
	if (series->sources)
		put_sources(json, series->sources);
	put_dependence(json, &noise->dependence);
	if (noise->tolerance.relative != series->all.tolerance.relative ||
	    noise->tolerance.absolute != series->all.tolerance.absolute)
		put_tolerance(json, "regime_tolerance", &noise->tolerance);
	put_columns(json, audit, series, AUDIT_FAILED);
	rg_json_close(json, '}');
}

static void put_file(rg_json_out *json, const rg_audit *audit, const rg_audit_file *file)
{
	rg_json_open(json, '{');
	rg_json_put_fields(json, file_fields, file, audit);
	rg_json_key(json, "runs_failed_recommended");
	if (rg_audit_file_is_recommended(file))
		rg_json_count(json, file->failed_recommended);
	else
		rg_json_null(json);
	rg_json_key_open(json, "statistics", '{');
	for (size_t i = 0; i < file->series_count; i++)
		put_statistics(json, &file->series[i]);
	rg_json_close(json, '}');
	rg_json_key_open(json, "recommended_tolerances", '{');
	for (size_t i = 0; i < file->series_count; i++)
		put_tolerance(json, file->series[i].metric, &file->series[i].all.tolerance);
	rg_json_close(json, '}');
	rg_json_key_open(json, "noise", '{');
	for (size_t i = 0; i < file->series_count; i++)
		put_series(json, audit, &file->series[i]);
	rg_json_close(json, '}');
	rg_json_close(json, '}');
}

static void put_summaries(rg_json_out *json, const rg_audit *audit, const char *key,
			  const rg_audit_summary *summary, size_t count)
{
	rg_json_key_open(json, key, '[');
	for (; count--; summary++) {
		rg_json_open(json, '{');
		rg_json_put_fields(json, summary_fields, summary, audit);
		if (summary->metric) {
			put_sources(json, &summary->sources);
			rg_json_key_defined(json, "smallest_break",
					    isfinite(summary->smallest_break),
					    summary->smallest_break);
			put_tolerance(json, "recommended_tolerance", &summary->tolerance);
		}
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_case(rg_json_out *json, const rg_audit *audit, const rg_audit_case *c)
{
	const bool on_commit = c->flaky == RG_FLAKY_ON_COMMIT;
	rg_json_open(json, '{');
	rg_json_put_fields(json, case_fields, c, audit);
	rg_json_key_text(json, "flaky", c->flaky ? "yes" : "no");
	rg_json_key_text(json, "flaky_commit", on_commit ? audit->runs[c->pass_run].commit : NULL);
	rg_json_key_text(json, "flaky_passed_in",
			 run_id(audit, on_commit ? c->pass_run : SIZE_MAX));
	rg_json_key_text(json, "flaky_failed_in",
			 run_id(audit, on_commit ? c->fail_run : SIZE_MAX));
	rg_json_key_text(json, "first_failed_in", run_id(audit, c->first_failed));
	rg_json_key_text(json, "failing_since", run_id(audit, c->failing_since));
	rg_json_close(json, '}');
}

/* Only where there are backend reports. */
static void put_cases(rg_json_out *json, const rg_audit *audit)
{
	if (!audit->case_total)
		return;
	rg_json_key_open(json, "cases", '{');
	rg_json_key_count(json, "total", audit->case_total);
	rg_json_key_open(json, "failed", '[');
	for (size_t i = 0; i < audit->case_count; i++)
		put_case(json, audit, &audit->cases[i]);
	rg_json_close(json, ']');
	rg_json_close(json, '}');
}

rg_error *rg_audit_json(rg_buf *out, const rg_audit *audit, const cJSON *story)
{
	rg_json_out json;
	rg_json_document(&json, out, "regild-audit");
	put_metadata(&json, audit);
	put_runs(&json, audit);
	rg_json_key_open(&json, "findings", '{');
	rg_json_put_fields(&json, finding_fields, audit, audit);
	rg_json_close(&json, '}');
	put_summaries(&json, audit, "overall", audit->overall, audit->group_count);
	put_summaries(&json, audit, "metrics", audit->metrics, audit->metric_count);
	rg_json_key_open(&json, "files", '[');
	for (size_t i = 0; i < audit->file_count; i++)
		put_file(&json, audit, &audit->files[i]);
	rg_json_close(&json, ']');
	put_cases(&json, audit);
	rg_json_key(&json, "story");
	rg_json_tree(&json, story);
	rg_json_close(&json, '}');
	return rg_buf_check(out, "the audit as JSON");
}
