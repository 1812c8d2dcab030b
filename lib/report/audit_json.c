/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_report.h"

#include "golden/records.h"
#include "report/audit_columns.h"
#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>

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

static void put_common_breaks(rg_json_out *json, const rg_audit *audit)
{
	rg_json_key_open(json, "common_breaks", '[');
	for (size_t i = 0; i < audit->common_count; i++) {
		const rg_audit_common_break *item = &audit->common_breaks[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "from_run", audit->runs[item->run].id);
		rg_json_key_count(json, "series_that_moved", item->series);
		rg_json_key_count(json, "of_series", item->of);
		rg_json_key_number(json, "p", item->p);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static const char *const odd_run_names[] = {"bad", "oldest", "newest"};

static void put_odd_runs(rg_json_out *json, const rg_audit *audit)
{
	rg_json_key_open(json, "odd_runs", '[');
	for (size_t i = 0; i < audit->odd_count; i++) {
		const rg_audit_odd_run *odd = &audit->odd_runs[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "run", audit->runs[odd->run].id);
		rg_json_key_text(json, "kind", odd_run_names[odd->kind]);
		rg_json_key_count(json, "far_out_in", odd->series);
		rg_json_key_count(json, "of_series", odd->of);
		rg_json_key_count(json, "in_files", odd->files);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_findings(rg_json_out *json, const rg_audit *audit)
{
	rg_json_key_open(json, "findings", '{');
	rg_json_key_number(json, "error_rate", audit->options.error_rate);
	rg_json_key_count(json, "series_tested_for_breaks", audit->tested);
	rg_json_key_count(json, "series_that_could_show_one", audit->divided_by);
	rg_json_key_count(json, "series_with_a_break", audit->broken);
	put_common_breaks(json, audit);
	put_odd_runs(json, audit);
	rg_json_key_open(json, "opaque", '[');
	for (size_t i = 0; i < audit->opaque_count; i++)
		rg_json_text(json, audit->opaque[i].path);
	rg_json_close(json, ']');
	rg_json_key_open(json, "unreadable", '[');
	for (size_t i = 0; i < audit->unreadable_count; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "run", audit->runs[audit->unreadable[i].run].id);
		rg_json_key_text(json, "file", audit->unreadable[i].path);
		rg_json_key_text(json, "why", audit->unreadable[i].why);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_close(json, '}');
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

/* Steps are numbers, or the names of what they are the places of. */
static void put_step_list(rg_json_out *json, const rg_audit_series *series)
{
	char number[RG_STEP_TEXT];
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
	const step_column *column;
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
	for (column = step_columns; !alike && column->key; column++)
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
	bool measured = rg_tolerance_is_measured(tolerance);
	rg_json_key_open_flat(json, key, '{');
	rg_json_key_defined(json, "relative_tolerance", measured, tolerance->relative);
	rg_json_key_defined(json, "absolute_tolerance", measured, tolerance->absolute);
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

static void put_spread(rg_json_out *json, const rg_spread *spread, size_t runs,
		       const rg_records *records)
{
	char number[RG_STEP_TEXT];
	rg_json_key_open_flat(json, "spread", '{');
	rg_json_key_count(json, "runs", runs);
	rg_json_key_defined(json, "min", runs > 0, spread->min);
	rg_json_key_defined(json, "median", runs > 0, spread->median);
	rg_json_key_defined(json, "p95", runs > 0, spread->p95);
	rg_json_key_defined(json, "max", runs > 0, spread->max);
	rg_json_key_defined(json, "mad", runs > 0, spread->mad);
	rg_json_key_defined(json, "std", runs > 0, spread->std);
	rg_json_key_defined(json, "avg_rel_diff_low", runs > 0, spread->low);
	rg_json_key_defined(json, "avg_rel_diff_high", runs > 0, spread->high);
	rg_json_key_defined(json, "widest", isfinite(spread->widest), spread->widest);
	rg_json_key(json, "widest_step");
	if (isfinite(spread->widest) && records)
		rg_json_text(json, rg_step_name(records, spread->widest_step, number));
	else if (isfinite(spread->widest))
		rg_json_integer(json, spread->widest_step);
	else
		rg_json_null(json);
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
	rg_json_open_flat(json, '{');
	rg_json_key_defined(json, "variants", !isnan(sources->variants), sources->variants);
	rg_json_key_defined(json, "commits", reruns, sources->commits);
	rg_json_key_defined(json, "reruns", reruns, sources->reruns);
	rg_json_key_defined(json, "reruns_at_least", reruns, sources->reruns_low);
	rg_json_key_defined(json, "reruns_at_most", reruns, sources->reruns_high);
	rg_json_close(json, '}');
}

static void put_dependence(rg_json_out *json, const rg_dependence *dependence)
{
	rg_json_key_open_flat(json, "dependence", '{');
	rg_json_key_defined(json, "trend", isfinite(dependence->trend), dependence->trend);
	rg_json_key_defined(json, "trend_p", isfinite(dependence->p), dependence->p);
	rg_json_key_defined(json, "lag1", isfinite(dependence->lag1), dependence->lag1);
	rg_json_key_number(json, "effective_runs", dependence->effective);
	rg_json_close(json, '}');
}

static void put_columns(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series,
			rg_audit_part part)
{
	const rg_audit_column *column;
	for (column = rg_audit_columns; column->name; column++) {
		rg_cell cell = column->cell(audit, series);
		if (column->part != part)
			continue;
		rg_json_key(json, column->name);
		rg_json_cell(json, &cell);
	}
}

static void put_breaks(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series)
{
	rg_json_key_open(json, "breaks", '[');
	for (size_t i = 0; i < series->break_count; i++) {
		const rg_audit_break *item = &series->breaks[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "from_run", audit->runs[item->at].id);
		rg_json_key_text(json, "first_run", audit->runs[item->first].id);
		rg_json_key_text(json, "last_run", audit->runs[item->last].id);
		rg_json_key_count(json, "runs_before", item->before);
		rg_json_key_count(json, "runs_after", item->after);
		rg_json_key_number(json, "p", item->p);
		rg_json_key_number(json, "p_adjusted", item->adjusted);
		rg_json_key_text(json, "test", rg_change_test_names[item->test]);
		rg_json_key_truth(json, "with_many_series", item->common);
		rg_json_key_number(json, "shift", item->shift);
		rg_json_key_number(json, "size", item->size.size);
		rg_json_key_number(json, "size_low", item->size.low);
		rg_json_key_number(json, "size_high", item->size.high);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_series(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	rg_json_key_open(json, series->metric, '{');
	put_columns(json, audit, series, RG_AUDIT_COUNTS);
	put_breaks(json, audit, series);
	rg_json_key_text(json, "regime_from",
			 series->break_count ? audit->runs[series->regime_from].id : NULL);
	put_columns(json, audit, series, RG_AUDIT_REGIME);
	put_spread(json, &noise->spread, noise->measured, series->records);
	put_sources(json, series->sources);
	put_dependence(json, &noise->dependence);
	if (noise->tolerance.relative != series->all.tolerance.relative ||
	    noise->tolerance.absolute != series->all.tolerance.absolute)
		put_tolerance(json, "regime_tolerance", &noise->tolerance);
	put_columns(json, audit, series, RG_AUDIT_FAILED);
	rg_json_close(json, '}');
}

static void put_file(rg_json_out *json, const rg_audit *audit, const rg_audit_file *file)
{
	rg_json_open(json, '{');
	rg_json_key_text(json, "file", file->path);
	rg_json_key_text(json, "group", audit->groups[file->group].name);
	rg_json_key_count(json, "runs", file->runs);
	rg_json_key_count(json, "runs_failed_today", file->failed_today);
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

static void put_summary(rg_json_out *json, const rg_audit *audit, const rg_audit_summary *summary)
{
	rg_json_open(json, '{');
	if (summary->metric)
		rg_json_key_text(json, "metric", summary->metric);
	rg_json_key_text(json, "group", audit->groups[summary->group].name);
	rg_json_key_count(json, "files", summary->files);
	rg_json_key_count(json, "runs", summary->runs);
	rg_json_key_count(json, "steps", summary->steps);
	rg_json_key_count(json, "deterministic_series", summary->deterministic);
	rg_json_key_count(json, "most_patterns", summary->patterns);
	rg_json_key_count(json, "series_with_a_break", summary->broken);
	put_spread(json, &summary->spread, summary->measured, summary->records);
	rg_json_key_text(json, "widest_file", summary->widest_file);
	if (summary->metric) {
		put_sources(json, &summary->sources);
		rg_json_key_defined(json, "smallest_break", isfinite(summary->smallest_break),
				    summary->smallest_break);
		put_tolerance(json, "recommended_tolerance", &summary->tolerance);
	}
	rg_json_close(json, '}');
}

static void put_run(rg_json_out *json, const rg_audit *audit, const char *key, size_t run)
{
	rg_json_key_text(json, key, run == SIZE_MAX ? NULL : audit->runs[run].id);
}

static void put_case(rg_json_out *json, const rg_audit *audit, const rg_audit_case *c)
{
	const bool on_commit = c->flaky == RG_FLAKY_ON_COMMIT;
	rg_json_open(json, '{');
	rg_json_key_text(json, "case", c->name);
	rg_json_key_text(json, "file", c->file);
	rg_json_key_text(json, "group", audit->groups[c->group].name);
	rg_json_key_count(json, "passed", c->passed);
	rg_json_key_count(json, "failed", c->failed);
	rg_json_key_count(json, "skipped", c->skipped);
	rg_json_key_text(json, "detail", c->detail);
	rg_json_key_count(json, "turns", c->turns);
	rg_json_key_text(json, "flaky", c->flaky ? "yes" : "no");
	rg_json_key_text(json, "flaky_commit", on_commit ? audit->runs[c->pass_run].commit : NULL);
	put_run(json, audit, "flaky_passed_in", on_commit ? c->pass_run : SIZE_MAX);
	put_run(json, audit, "flaky_failed_in", on_commit ? c->fail_run : SIZE_MAX);
	put_run(json, audit, "first_failed_in", c->first_failed);
	put_run(json, audit, "failing_since", c->failing_since);
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

rg_error *rg_audit_json(rg_buf *out, const rg_audit *audit)
{
	rg_json_out json;
	rg_json_document(&json, out, "regild-audit");
	put_metadata(&json, audit);
	put_runs(&json, audit);
	put_findings(&json, audit);
	rg_json_key_open(&json, "overall", '[');
	for (size_t i = 0; i < audit->group_count; i++)
		put_summary(&json, audit, &audit->overall[i]);
	rg_json_close(&json, ']');
	rg_json_key_open(&json, "metrics", '[');
	for (size_t i = 0; i < audit->metric_count; i++)
		put_summary(&json, audit, &audit->metrics[i]);
	rg_json_close(&json, ']');
	rg_json_key_open(&json, "files", '[');
	for (size_t i = 0; i < audit->file_count; i++)
		put_file(&json, audit, &audit->files[i]);
	rg_json_close(&json, ']');
	put_cases(&json, audit);
	rg_json_close(&json, '}');
	return rg_buf_check(out, "the audit as JSON");
}
