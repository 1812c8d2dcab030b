/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"
#include "report/audit_report.h"

#include "base/number.h"
#include "golden/records.h"
#include "report/json.h"

#include <math.h>
#include <stdint.h>

/* --- JSON --- */

/* SIZE_MAX: there is none. */
static const char *run_id(const void *of_facts, size_t run)
{
	const rg_audit_facts *facts = of_facts;
	return run == SIZE_MAX ? NULL : facts->audit->runs[run].id;
}

static const char *group_name(const void *of_facts, size_t group)
{
	return rg_audit_group_name(of_facts, group);
}

#define OF rg_audit_facts
static const rg_json_field metadata_fields[] = {
	RG_KEY_VIA_AS("num_runs", audit, rg_audit, run_count, ALWAYS, "Runs."),
	RG_KEY_OPTIONAL(first_run, "The first of them."),
	RG_KEY_OPTIONAL(last_run, "The last."),
	RG_KEY_AS("num_goldens", golden_count, "Goldens; each counts once in each group."),
	RG_KEY_AS("num_series", series_count, "Series."),
	RG_KEY_OPTIONAL(grouped, "Whether there are several groups of runs."),
	RG_KEY(group_by, "What makes runs comparable: 'all', 'branch' or 'commit'."),
	RG_KEY_IF("confidence_multiplier", multiplier, RG_JSON_OR_NULL,
		  "The margin of tolerances; null where they are by the rate at which they fail."),
	RG_KEY_OR_NULL(fail_rate, "The rate at which fresh runs may fail; null where tolerances "
				  "are by a multiplier."),
	RG_KEY_VIA_AS("start_step", audit, rg_audit, options.tolerance.start_step, ALWAYS,
		      "The first step that tolerances count."),
	{0}};

static const rg_json_field smallest_fields[] = {
	RG_KEY_FINITE("half", smallest.half,
		      "Half of the series would have shown a break this large; null: none of any "
		      "size, or there are no series."),
	RG_KEY_AS("none", smallest.none, "Series with too few runs to show any."),
	RG_KEY_AS("of", smallest.of, "Series that were looked at."),
	{0}};

static const rg_json_field breaks_fields[] = {
	RG_KEY_IF("error_rate", false_breaks, RG_JSON_OR_NULL,
		  "The chance of any false break; null: runs depend on the ones before them, and "
		  "nothing bounds it."),
	RG_KEY_VIA(audit, rg_audit, tested, ALWAYS, "Series in which a break was looked for."),
	RG_KEY_VIA_AS("could_show_one", audit, rg_audit, divided_by, ALWAYS,
		      "Of these, as many as the rate was divided by: the others have too few runs "
		      "to show any."),
	RG_KEY_VIA(audit, rg_audit, broken, ALWAYS, "Series with a break of their own."),
	RG_KEY_VIA_AS("common", audit, rg_audit, common_count, OPTIONAL,
		      "Runs from which on many series together are others; missing: none."),
	RG_KEY_VIA_AS(
		"runs_hang_together", audit, rg_audit, hang_together, OPTIONAL,
		"Whether runs depend on the ones before them, so that nothing bounds how many "
		"breaks are false."),
	RG_KEY_PART("smallest", smallest_fields, ALWAYS, true, "How large a break has to be."),
	{0}};
#undef OF

static void write_number(rg_json_out *json, const void *of_run, const void *of_facts)
{
	const rg_audit_run *run = of_run;
	rg_json_count(json, (size_t)(run - ((const rg_audit_facts *)of_facts)->runs) + 1);
}

#define OF rg_audit_run
static const rg_json_field run_fields[] = {
	RG_PUT("number", COUNT, ALWAYS, NULL, write_number, "Its place in this list, from 1."),
	RG_KEY(id, "Its number, a commit or a path."),
	RG_KEY_OR_NULL(when, "When it began."),
	RG_KEY_OR_NULL(branch, "Its branch."),
	RG_KEY_OR_NULL(commit, "Its commit."),
	{0}};
#undef OF

static void write_group_runs(rg_json_out *json, const void *of_group, const void *context)
{
	const rg_audit_group *group = of_group;
	(void)context;
	rg_json_open_flat(json, '[');
	for (size_t i = 0; i < group->run_count; i++)
		rg_json_count(json, group->runs[i]);
	rg_json_close(json, ']');
}

#define OF rg_audit_group
static const rg_json_field group_fields[] = {RG_KEY(name, "'all', a branch, or a commit."),
					     RG_PUT("runs", COUNTS, ALWAYS, NULL, write_group_runs,
						    "Places in the list of runs, counted from 0."),
					     {0}};
#undef OF

#define OF rg_audit_finding
static const rg_json_field finding_fields[] = {
	RG_KEY_WORD("kind", kind, rg_audit_finding_names, "What it is."),
	RG_KEY_OPTIONAL(run, "The run; of a break, the first after it; of a failing test case, the "
			     "first of the failures that last; of a flaky one, a run in which it "
			     "passed."),
	RG_KEY_OPTIONAL(commit, "The run's commit, or the one on which a test case is flaky."),
	RG_KEY_OPTIONAL(other_run, "A run of the same commit in which a flaky test case failed."),
	RG_KEY_OPTIONAL(first_run, "With 95 % confidence, a break is not before this run."),
	RG_KEY_OPTIONAL(last_run, "And not after this one."),
	RG_KEY_OPTIONAL(metric, "The metric, or the family of metrics."),
	RG_KEY_OPTIONAL(golden, "The golden, or the first of several."),
	RG_KEY_OPTIONAL(group, "The group of runs; missing: there is one."),
	RG_KEY_OPTIONAL(test_case, "FLOW/TEST ID/SUBTEST."),
	RG_KEY_OPTIONAL(why, "What is wrong, or what the newest failure says."),
	RG_KEY_OPTIONAL(more, "Further series, or goldens, of which the same is true."),
	RG_KEY_IF("n", series, RG_JSON_OPTIONAL,
		  "Series in which a run is an outlier, that moved, that break or that drift."),
	RG_KEY_OPTIONAL(of, "Of so many."),
	RG_KEY_IF("in_files", files, RG_JSON_OPTIONAL, "Files with such a series."),
	RG_KEY_OPTIONAL(rose, "Series that rose."),
	RG_KEY_OPTIONAL(fell, "Series that fell."),
	RG_KEY_IF(
		"size", size.size, RG_JSON_OPTIONAL,
		"By how much the runs' means moved in the clearest series, in the metric's unit."),
	RG_KEY_IF("size_low", size.low, RG_JSON_OPTIONAL, "The lower end of its interval of 95 %."),
	RG_KEY_IF("size_high", size.high, RG_JSON_OPTIONAL, "The upper end."),
	RG_KEY_OPTIONAL(before, "Runs before a break."),
	RG_KEY_OPTIONAL(after, "Runs after it."),
	RG_KEY_OPTIONAL(p, "How often chance alone does this: of a break, in any of the series; of "
			   "a common one, in the runs' other orders; missing: nothing bounds it."),
	RG_KEY_IF("of_runs", runs, RG_JSON_OPTIONAL, "Runs that have the golden."),
	RG_KEY_OPTIONAL(failed_today, "Of them, those that today's tolerances would have failed."),
	RG_KEY_OPTIONAL(failed_recommended, "Those that the recommended ones would have failed."),
	RG_KEY_OPTIONAL(passed, "Runs in which a test case passed."),
	RG_KEY_OPTIONAL(failed, "Runs in which it failed."),
	RG_KEY_OPTIONAL(turns, "How often it went from passing to failing or back."),
	{0}};
#undef OF

#define OF rg_audit_reason
static const rg_json_field reason_fields[] = {
	RG_KEY_WORD("kind", kind, rg_audit_finding_names, "The findings' kind."),
	RG_KEY_AS("n", count, "Findings of it; of failing goldens, the goldens."),
	{0}};
#undef OF

#define OF rg_audit_lack
static const rg_json_field lack_fields[] = {
	RG_KEY_AS("n", count, "So many lack runs."),
	RG_KEY_OPTIONAL(least, "They need at least so many more; missing: as many as `most`."),
	RG_KEY(most, "And at most so many."),
	RG_KEY_OPTIONAL(needed, "So many in all."),
	{0}};
#undef OF

#define OF rg_audit_class
static const rg_json_field class_fields[] = {
	RG_KEY_WORD("held_to", rely, rg_reliance_names, "What they can be held to."),
	RG_KEY_AS("n", count, "So many series, or goldens."),
	RG_KEY_IF("least", lack.least, RG_JSON_OPTIONAL,
		  "More runs that they need, at least; missing: as many as `most`."),
	RG_KEY_IF("most", lack.most, RG_JSON_OPTIONAL, "At most; missing: none."),
	{0}};
#undef OF

#define OF rg_audit_tally
static const rg_json_field tally_fields[] = {
	RG_KEY_LIST("held", classes, class_count, class_fields,
		    "What its series can be held to, and how many to each."),
	RG_KEY_IF("least", lack.least, RG_JSON_OPTIONAL,
		  "More runs that it needs, at least; missing: as many as `most`."),
	RG_KEY_IF("most", lack.most, RG_JSON_OPTIONAL, "At most; missing: none."),
	{0}};
#undef OF

#define OF rg_tolerance
static const rg_json_field later_fields[] = {
	RG_KEY_AS("fitted_runs", older, "Runs of the older half, to which a tolerance is fitted."),
	RG_KEY_NAMED("fitted_from", tested[0], RG_JSON_ALWAYS, run_id, "The first of them."),
	RG_KEY_NAMED("fitted_to", tested[1], RG_JSON_ALWAYS, run_id, "The last."),
	RG_KEY_AS("tested_runs", newer, "Runs of the newer half, on which it is tested."),
	RG_KEY_NAMED("tested_from", tested[2], RG_JSON_ALWAYS, run_id, "The first of them."),
	RG_KEY_NAMED("tested_to", tested[3], RG_JSON_ALWAYS, run_id, "The last."),
	RG_KEY(failed, "Runs of the newer half that fail it: the mean over the runs of the older "
		       "half as goldens, rounded, and 1 at least if any fails."),
	RG_KEY_AS("did_not_hold", failed_later,
		  "Whether more fail than the rate, and than chance alone explains: the order of "
		  "the runs matters. What is recommended is widened to hold for them."),
	{0}};
#undef OF

#define OF rg_audit_later
static const rg_json_field tested_fields[] = {
	RG_KEY_AS("series", tested, "Series whose tolerance was tested."),
	RG_KEY_AS("did_not_hold", failed, "Of them, those in which it did not hold."),
	RG_KEY(metric, "The metric of the series that failed most of the later runs."),
	RG_KEY(golden, "Its golden."),
	RG_KEY_OBJECT("worst", worst, later_fields, ALWAYS, true, "Its test."),
	RG_KEY_OPTIONAL(varied, "Whether other series were tested on other runs."),
	{0}};
#undef OF

#define OF rg_audit_facts
static const rg_json_field tolerances_fields[] = {
	RG_KEY_AS("goldens", measured_goldens, "Goldens with series."),
	RG_KEY_AS("hold", relied,
		  "Of them, those in which each metric is exact or has a tolerance."),
	RG_KEY_LIST("held", goldens_held.classes, goldens_held.class_count, class_fields,
		    "What the goldens can be held to in their worst metric."),
	RG_KEY_OBJECT("more_runs", goldens_held.lack, lack_fields, OPTIONAL, true,
		      "Runs that the goldens need which have too few, or hold by theory."),
	RG_KEY_IF(
		"rtol_least", relied_held.least, RG_JSON_OPTIONAL,
		"The least relative tolerance of the goldens that hold; missing: as `rtol_most`."),
	RG_KEY_AS("rtol_most", relied_held.most, "The largest; 0: none has one."),
	RG_KEY_OR_NULL(may_differ, "In how many cases, at most, the next run of an exact series of "
				   "them differs, with 95 % confidence; null: none is exact."),
	RG_KEY_OBJECT(
		"later", later, tested_fields, OPTIONAL, false,
		"Tolerances of the older half of the runs, tested on the newer half; missing: "
		"too few runs."),
	{0}};

static const rg_json_field deterministic_fields[] = {
	RG_KEY_AS("n", deterministic, "Series that never differed."),
	RG_KEY_IF("may_differ", deterministic_bound, RG_JSON_OR_NULL,
		  "In how many cases, at most, the next run of one differs, with 95 % confidence."),
	{0}};

static const rg_json_field left_out_fields[] = {
	RG_KEY_AS("any", left_out.any, "Series of which some run is not in the spread."),
	RG_KEY_AS("missing", left_out.missing, "Series that some run of the file does not have."),
	RG_KEY_AS("other_steps", left_out.other_steps, "Series with other steps in some run."),
	RG_KEY_AS("not_finite", left_out.nonfinite, "Series that are not finite in some run."),
	{0}};

static const rg_json_field more_runs_fields[] = {
	RG_KEY_OBJECT("for_verdicts", for_verdicts, lack_fields, OPTIONAL, true,
		      "Series without enough runs for verdicts at the level of 10 %."),
	RG_KEY_OBJECT("for_tolerances", for_tolerances, lack_fields, OPTIONAL, true,
		      "Series without enough runs for a tolerance at the rate, without theory."),
	{0}};
#undef OF

static void write_widest_step(rg_json_out *json, const void *of_fact, const void *context)
{
	const rg_audit_spread *fact = of_fact;
	const rg_spread *spread = fact->spread;
	char number[RG_STEP_TEXT];

	(void)context;
	if (isfinite(spread->widest) && fact->records)
		rg_json_text(json, rg_step_name(fact->records, spread->widest_step, number));
	else if (isfinite(spread->widest))
		rg_json_integer(json, spread->widest_step);
	else
		rg_json_null(json);
}

#define OF rg_audit_spread
static const rg_json_field spread_fields[] = {
	RG_KEY_AS("measured", runs, "Runs that were measured."),
	RG_KEY_VIA(spread, rg_spread, min, OR_NULL, "The least deviation."),
	RG_KEY_VIA(spread, rg_spread, median, OR_NULL, "The median."),
	RG_KEY_VIA(spread, rg_spread, p95, OR_NULL, "The 95th percentile."),
	RG_KEY_VIA(spread, rg_spread, max, OR_NULL, "The largest."),
	RG_KEY_VIA(spread, rg_spread, mad, OR_NULL, "The median absolute deviation."),
	RG_KEY_VIA(spread, rg_spread, std, OR_NULL, "The standard deviation."),
	RG_KEY_VIA_AS("avg_rel_diff_low", spread, rg_spread, low, OR_NULL,
		      "The least avg_rel_diff from the centre."),
	RG_KEY_VIA_AS("avg_rel_diff_high", spread, rg_spread, high, OR_NULL, "The largest."),
	RG_KEY_VIA(spread, rg_spread, widest, FINITE, "The widest spread of a step."),
	RG_PUT("widest_step", STEP, OR_NULL, NULL, write_widest_step,
	       "That step, or the key of that record of a table."),
	{0}};
#undef OF

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

#define OF rg_audit_tolerance
static const rg_json_field tolerance_fields[] = {
	RG_KEY_IF("relative_tolerance", relative, RG_JSON_OR_NULL,
		  "null: too few runs, or over 1, which would let anything pass."),
	RG_KEY_IF("absolute_tolerance", absolute, RG_JSON_OR_NULL,
		  "null where the relative one is."),
	RG_KEY_OPTIONAL(by_theory, "Whether it takes the noise to be lognormal, for want of runs."),
	RG_KEY_OPTIONAL(not_bounded, "Whether the runs drift, or it did not hold for later runs: "
				     "nothing bounds how often one fails."),
	RG_KEY_OPTIONAL(fails_at_least,
			"How often fresh runs fail: the lower end of the interval of 95 %."),
	RG_KEY_OPTIONAL(fails_at_most, "Its upper end."),
	RG_KEY_AS("max_observed_relative_variance", max_relative,
		  "The largest relative deviation, rounded to 6 places."),
	RG_KEY_AS("max_observed_absolute_variance", max_absolute,
		  "The largest absolute deviation, rounded to 6 places."),
	RG_KEY_AS("steps_included", included, "Steps that counted."),
	RG_KEY(by, "The figure of a run that is tested: 'step', 'median' or 'maximum'."),
	RG_KEY_OBJECT(
		"later", later, later_fields, OPTIONAL, true,
		"The test on later runs; of several series, the one that failed most; missing: "
		"too few runs."),
	{0}};
#undef OF

#define OF rg_audit_line
static const rg_json_field overall_fields[] = {
	RG_KEY(group, "The group of runs."),
	RG_KEY_AS("files", summary.files, "Files."),
	RG_KEY_AS("runs", summary.runs, "Runs."),
	RG_KEY_AS("steps", summary.steps, "Steps, over all files."),
	RG_KEY_AS("deterministic_series", summary.deterministic,
		  "Series in which all runs agree to the bit."),
	RG_KEY_AS("most_patterns", summary.patterns,
		  "The most different series that one file has."),
	RG_KEY_AS("series_with_a_break", summary.broken, "Series with a break."),
	RG_KEY_OBJECT("spread", spread, spread_fields, ALWAYS, true,
		      "How far runs are from their centre; null where nothing was measured."),
	RG_KEY_IF("widest_file", summary.widest_file, RG_JSON_OR_NULL,
		  "The file that spreads most."),
	{0}};

static const rg_json_field line_fields[] = {
	RG_KEY_AS("metric", name, "The metric, or the family of metrics."),
	RG_KEY_OPTIONAL(family, "The family that it is one of."),
	RG_SPREAD_SAME(overall_fields),
	RG_KEY_AS("series_count", series, "Its series."),
	RG_SPREAD(held, tally_fields),
	RG_KEY_TO("sources", sources, source_fields, OR_NULL, true,
		  "What the runs differ by, relative to how large they are, comes from; null: not "
		  "told apart."),
	RG_KEY_FINITE("smallest_break", summary.smallest_break,
		      "Half of its series would have shown a break this large; null: none of "
		      "any size."),
	RG_KEY_OBJECT("tolerance", tolerance, tolerance_fields, ALWAYS, true,
		      "What the metric can be held to in all files."),
	{0}};
#undef OF

/* --- series --- */

/* More digits of a step's mean and standard deviation say nothing, and they are most of a long
 * history's audit. */
enum { MEAN_DIGITS = 12, STD_DIGITS = 3 };

static double round_digits(double value, int digits)
{
	return digits ? rg_double_round_digits(value, digits) : value;
}

static size_t most_runs(const rg_figures *figures)
{
	size_t most = 0;
	for (size_t i = 0; i < figures->step_count; i++)
		if (figures->steps[i].sample.count > most)
			most = figures->steps[i].sample.count;
	return most;
}

/* Do all runs agree at each step? */
static bool are_alike(const rg_figures *figures)
{
	bool alike = true;
	for (size_t i = 0; i < figures->step_count; i++) {
		const rg_sample *sample = &figures->steps[i].sample;
		alike &= !sample->count || sample->min == sample->max;
	}
	return alike;
}

/* Does each step that some run has follow the one before? */
static bool are_in_a_row(const rg_audit_series *series)
{
	const rg_step_figures *steps = series->all.steps;
	size_t count = series->all.step_count;
	bool all = !series->derived && !series->records && count > 0 &&
		   steps[count - 1].step - steps[0].step == (int64_t)(count - 1);
	for (size_t i = 0; i < count; i++)
		all &= steps[i].sample.count > 0;
	return all;
}

static void write_sample_count(rg_json_out *json, const void *of_series, const void *context)
{
	(void)context;
	rg_json_count(json, most_runs(&((const rg_audit_series *)of_series)->all));
}

static void write_first_step(rg_json_out *json, const void *of_series, const void *context)
{
	const rg_audit_series *series = of_series;
	(void)context;
	if (are_in_a_row(series)) {
		rg_json_key(json, "first_step");
		rg_json_integer(json, series->all.steps[0].step);
	}
}

/* Steps are numbers, or the names of what they are the places of. */
static void write_steps(rg_json_out *json, const void *of_series, const void *context)
{
	const rg_audit_series *series = of_series;
	char number[RG_STEP_TEXT];

	(void)context;
	if (are_in_a_row(series))
		return;
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

/* One figure of each step that some run has, if it is the case that all runs are alike, or not. */
#define STEP_COLUMN(name, member, digits, if_alike)                                                \
	static void write_step_##name(rg_json_out *json, const void *of_series, const void *no)    \
	{                                                                                          \
		const rg_figures *figures = &((const rg_audit_series *)of_series)->all;            \
		(void)no;                                                                          \
		if (are_alike(figures) != (if_alike))                                              \
			return;                                                                    \
		rg_json_key_open_flat(json, #name, '[');                                           \
		for (size_t i = 0; i < figures->step_count; i++)                                   \
			if (figures->steps[i].sample.count)                                        \
				rg_json_number(json, round_digits(figures->steps[i].sample.member, \
								  digits));                        \
		rg_json_close(json, ']');                                                          \
	}
STEP_COLUMN(value, min, 0, true)
STEP_COLUMN(min, min, 0, false)
STEP_COLUMN(max, max, 0, false)
STEP_COLUMN(mean, mean, MEAN_DIGITS, false)
STEP_COLUMN(std, std, STD_DIGITS, false)

static void write_counts(rg_json_out *json, const void *of_series, const void *context)
{
	const rg_figures *figures = &((const rg_audit_series *)of_series)->all;
	const size_t most = most_runs(figures);
	bool complete = true;

	(void)context;
	for (size_t i = 0; i < figures->step_count; i++)
		complete &= !figures->steps[i].sample.count ||
			    figures->steps[i].sample.count == most;
	if (complete)
		return;
	rg_json_key_open_flat(json, "count", '[');
	for (size_t i = 0; i < figures->step_count; i++)
		if (figures->steps[i].sample.count)
			rg_json_count(json, figures->steps[i].sample.count);
	rg_json_close(json, ']');
}

static const rg_json_field statistic_fields[] = {
	RG_PUT("num_samples", COUNT, ALWAYS, NULL, write_sample_count,
	       "The most runs that a step has."),
	RG_PUT("first_step", INTEGER, OPTIONAL, NULL, write_first_step,
	       "The first of the steps that the lists are of, if each follows the one before."),
	RG_PUT("steps", STEPS, OPTIONAL, NULL, write_steps,
	       "Those steps, if they do not, or the names of records."),
	RG_PUT("value", NUMBERS, OPTIONAL, NULL, write_step_value,
	       "Where all runs agree at each step: their value; then min, max, mean and std are "
	       "not there."),
	RG_PUT("min", NUMBERS, OPTIONAL, NULL, write_step_min, "The least values."),
	RG_PUT("max", NUMBERS, OPTIONAL, NULL, write_step_max, "The largest."),
	RG_PUT("mean", NUMBERS, OPTIONAL, NULL, write_step_mean, "The means, in 12 digits."),
	RG_PUT("std", NUMBERS, OPTIONAL, NULL, write_step_std,
	       "The standard deviations, in 3 digits."),
	RG_PUT("count", COUNTS, OPTIONAL, NULL, write_counts,
	       "Runs, where not all steps have num_samples of them."),
	{0}};

#define BREAK_CHANCE(name, member)                                                     \
	static void write_break_##name(rg_json_out *json, const void *of_break,        \
				       const void *of_facts)                           \
	{                                                                              \
		const double p = ((const rg_audit_break *)of_break)->member;           \
		const double known =                                                   \
			rg_audit_chance(((const rg_audit_facts *)of_facts)->audit, p); \
		isnan(known) ? rg_json_null(json) : rg_json_number(json, known);       \
	}
BREAK_CHANCE(p, p)
BREAK_CHANCE(adjusted, adjusted)

#define OF rg_audit_break
static const rg_json_field break_fields[] = {
	RG_KEY_NAMED("from_run", at, RG_JSON_ALWAYS, run_id, "The first run after the break."),
	RG_KEY_NAMED("first_run", first, RG_JSON_ALWAYS, run_id,
		     "The break may be before this run already, with 95 % confidence."),
	RG_KEY_NAMED("last_run", last, RG_JSON_ALWAYS, run_id, "And is not after this one."),
	RG_KEY_AS("runs_before", before, "Runs before it."),
	RG_KEY_AS("runs_after", after, "Runs after it."),
	RG_PUT("p", NUMBER, OR_NULL, NULL, write_break_p,
	       "How often chance alone makes one in this series; null: runs depend on the ones "
	       "before "
	       "them, and nothing bounds it."),
	RG_PUT("p_adjusted", NUMBER, OR_NULL, NULL, write_break_adjusted,
	       "The same of all series that were tested."),
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

static void write_failed(rg_json_out *json, const void *of_entry, const void *context)
{
	const rg_audit_series *series = ((const rg_audit_entry *)of_entry)->series;
	(void)context;
	if (rg_audit_recommended(series))
		rg_json_key_count(json, "runs_failed_recommended", series->failed_recommended);
}

static void write_statistics(rg_json_out *json, const void *of_entry, const void *of_facts)
{
	if (!((const rg_audit_facts *)of_facts)->whole)
		return;
	rg_json_key_open(json, "statistics", '{');
	rg_json_put_fields(json, statistic_fields, ((const rg_audit_entry *)of_entry)->series,
			   of_facts);
	rg_json_close(json, '}');
}

#define OF rg_audit_entry
static const rg_json_field series_fields[] = {
	RG_KEY(number, "Its place in this list, from 1."),
	RG_KEY_VIA(series, rg_audit_series, file, ALWAYS, "The golden's path."),
	RG_KEY(group, "The group of runs."),
	RG_KEY_VIA(series, rg_audit_series, metric, ALWAYS, "The metric."),
	RG_KEY_OPTIONAL(test, "The golden's test, if its path says it."),
	RG_KEY_OPTIONAL(stage, "Its stage."),
	RG_KEY_OPTIONAL(variant, "Its variant."),
	RG_KEY(family, "The family of metrics that it is one of, or the metric."),
	RG_KEY_WORD("finding", interest, rg_audit_interest_names,
		    "What there is to be said first."),
	RG_KEY_WORD("held_to", rely, rg_reliance_names, "What it can be held to."),
	RG_KEY_IF("needs_runs", more_runs, RG_JSON_OPTIONAL,
		  "So many more runs would give it a tolerance without theory."),
	RG_KEY_VIA(series, rg_audit_series, runs, ALWAYS, "Runs that have it."),
	RG_KEY_VIA_AS("runs_without_it", series, rg_audit_series, missing, ALWAYS,
		      "Runs that have the file but not the metric."),
	RG_KEY_VIA_AS("runs_with_other_steps", series, rg_audit_series, all.other_steps, ALWAYS,
		      "Runs with other steps."),
	RG_KEY_VIA_AS("runs_not_finite", series, rg_audit_series, all.nonfinite, ALWAYS,
		      "Runs that are not finite where others are."),
	RG_KEY_VIA_AS("steps", series, rg_audit_series, all.centre_count, ALWAYS,
		      "Steps in common."),
	RG_KEY_LIST("breaks", breaks, break_count, break_fields, "Its breaks, in order of time."),
	RG_KEY_OPTIONAL(regime_from, "The first run of the newest regime; missing: no break."),
	RG_KEY_VIA_AS("regime_runs", series, rg_audit_series, noise.runs, ALWAYS,
		      "Runs in the newest regime."),
	RG_KEY_VIA_AS("patterns", series, rg_audit_series, noise.patterns, ALWAYS,
		      "Different series among them."),
	RG_KEY_VIA(series, rg_audit_series, drifts, OPTIONAL,
		   "Whether its runs depend on their order; missing: no."),
	RG_KEY_VIA_AS("deterministic", series, rg_audit_series, noise.deterministic, OPTIONAL,
		      "Whether all agree to the bit; missing: no."),
	RG_KEY_IF("may_still_differ", may_differ, RG_JSON_OPTIONAL,
		  "How often a run may still differ; missing unless deterministic."),
	RG_KEY_FINITE("smallest_break", smallest_break,
		      "A break of the newest regime this large, relative, would have been found "
		      "in 80 % of cases; null: none of any size."),
	RG_KEY_OBJECT("spread", spread, spread_fields, ALWAYS, true,
		      "How far runs are from their centre; null where nothing was measured."),
	RG_KEY_TO("sources", sources, source_fields, OPTIONAL, true,
		  "What the runs differ by, relative to how large they are, comes from; missing: "
		  "not told apart."),
	RG_KEY_TO("dependence", dependence, dependence_fields, ALWAYS, true,
		  "Whether runs depend on their order."),
	RG_KEY_OBJECT("tolerance", tolerance, tolerance_fields, ALWAYS, true,
		      "Over the newest regime without bad runs: what is recommended."),
	RG_KEY_TO("tolerance_of_all_runs", first_tolerance, tolerance_fields, OPTIONAL, true,
		  "Over all runs, where that is another one."),
	RG_KEY_VIA_AS("runs_failed_today", series, rg_audit_series, failed_today, ALWAYS,
		      "Runs that today's tolerance would have failed."),
	RG_PUT("runs_failed_recommended", COUNT, OPTIONAL, NULL, write_failed,
	       "Runs that the recommended one would have failed; missing: there is none."),
	RG_PUT("trend", TEXT, OPTIONAL, NULL, rg_audit_put_trend,
	       "Its newest runs, a letter each: their place between the least and the largest."),
	RG_PUT("odd", COUNTS, OPTIONAL, NULL, rg_audit_put_odd,
	       "Places of outliers in the trend, from 0."),
	RG_PUT("statistics", OBJECT, OPTIONAL, statistic_fields, write_statistics,
	       "Each step, over all runs."),
	{0}};
#undef OF

/* --- goldens and cases --- */

static void write_failed_golden(rg_json_out *json, const void *of_golden, const void *context)
{
	const size_t failed = ((const rg_audit_golden *)of_golden)->failed_recommended;
	(void)context;
	if (failed == SIZE_MAX)
		rg_json_null(json);
	else
		rg_json_count(json, failed);
}

#define OF rg_audit_golden
static const rg_json_field golden_fields[] = {
	RG_KEY_VIA_AS("file", file, rg_audit_file, path, ALWAYS, "The golden's path."),
	RG_KEY(group, "The group of runs."),
	RG_KEY_VIA(file, rg_audit_file, runs, ALWAYS, "Runs that have it."),
	RG_KEY_VIA_AS("runs_failed_today", file, rg_audit_file, failed_today, ALWAYS,
		      "Runs that today's tolerances would have failed."),
	RG_PUT("runs_failed_recommended", COUNT, OR_NULL, NULL, write_failed_golden,
	       "Runs that the recommended ones would have failed."),
	RG_KEY_WORD("held_to", rely, rg_reliance_names, "What its worst series can be held to."),
	RG_SPREAD(held, tally_fields),
	{0}};
#undef OF

#define CASE_TEXT(name, text)                                                                  \
	static void write_##name(rg_json_out *json, const void *of_case, const void *of_facts) \
	{                                                                                      \
		const rg_audit_case *c = of_case;                                              \
		const bool on_commit = c->flaky == RG_FLAKY_ON_COMMIT;                         \
		(void)on_commit;                                                               \
		rg_json_text(json, text);                                                      \
	}
CASE_TEXT(flaky_commit,
	  on_commit ? ((const rg_audit_facts *)of_facts)->audit->runs[c->pass_run].commit : NULL)
CASE_TEXT(passed_in, run_id(of_facts, on_commit ? c->pass_run : SIZE_MAX))
CASE_TEXT(failed_in, run_id(of_facts, on_commit ? c->fail_run : SIZE_MAX))

static const char *const flaky_names[] = {NULL, "on one commit", "by turns"};

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
	RG_KEY_WORD("flaky", flaky, flaky_names,
		    "Whether it passed and failed on one commit, or turned three times or more; "
		    "null: neither."),
	RG_PUT("flaky_commit", TEXT, OR_NULL, NULL, write_flaky_commit,
	       "That commit; null: there is none."),
	RG_PUT("flaky_passed_in", TEXT, OR_NULL, NULL, write_passed_in,
	       "A run in which it passed there."),
	RG_PUT("flaky_failed_in", TEXT, OR_NULL, NULL, write_failed_in,
	       "A run in which it failed there."),
	RG_KEY_NAMED("first_failed_in", first_failed, RG_JSON_OR_NULL, run_id,
		     "The first run in which it failed."),
	RG_KEY_NAMED("failing_since", failing_since, RG_JSON_OR_NULL, run_id,
		     "The first of the failures that last; null: it passes."),
	{0}};
#undef OF

#define OF rg_audit
static const rg_json_field cases_fields[] = {
	RG_KEY_AS("total", case_total, "Test cases."),
	RG_KEY_AS("failed_count", case_count, "Those that failed in some run."),
	RG_KEY_LIST("failures", cases, case_count, case_fields, "Each of them."),
	{0}};
#undef OF

#define OF rg_audit_facts
const rg_json_field rg_audit_fields[] = {
	RG_KEY_PART("metadata", metadata_fields, ALWAYS, false, "How it was measured."),
	RG_KEY_LIST("runs", runs, run_count, run_fields, "The runs, in order of time."),
	RG_KEY_LIST("groups", groups, group_count, group_fields, "Runs that are comparable."),
	RG_KEY_LIST("reasons", reasons, reason_count, reason_fields,
		    "What needs review, by kind, the worst first."),
	RG_KEY_LIST("findings", findings, finding_count, finding_fields,
		    "What needs review, the worst first."),
	RG_KEY_PART("breaks_found", breaks_fields, ALWAYS, false, "The search for breaks."),
	RG_KEY_PART("tolerances", tolerances_fields, ALWAYS, false, "What goldens can be held to."),
	RG_KEY_PART("deterministic_series", deterministic_fields, ALWAYS, true,
		    "Series in which all runs agree to the bit."),
	RG_KEY_PART("more_runs", more_runs_fields, ALWAYS, false, "Further runs would tell more."),
	RG_KEY_PART("left_out", left_out_fields, ALWAYS, true,
		    "Series of which some runs are not in the spread."),
	RG_KEY_LIST("overall", overall.items, overall.count, overall_fields,
		    "Each group, over all metrics."),
	RG_KEY_OPTIONAL(told_apart, "Whether some metric's spread is told apart by its sources."),
	RG_KEY_LIST("metrics", metrics.items, metrics.count, line_fields,
		    "Each metric or family of metrics of a group that differs, over all files."),
	RG_KEY_LIST("deterministic_metrics", deterministic_metrics.items,
		    deterministic_metrics.count, line_fields, "The same of those that never did."),
	RG_KEY_LIST("family_members", family_members.items, family_members.count, line_fields,
		    "The metrics of families of several."),
	RG_KEY_LIST("goldens", goldens, golden_count, golden_fields,
		    "Each golden of each group, the worst first."),
	RG_KEY_TALL_LIST("series", entries, series_shown, series_fields,
			 "Each metric of each golden, the most interesting first."),
	RG_KEY(more_series, "Series that the page does not show."),
	RG_KEY_TEXTS("opaque", opaque, opaque_count, ALWAYS,
		     "Goldens that no reader takes: there is nothing to measure."),
	RG_KEY_TO("cases", cases, cases_fields, OPTIONAL, false,
		  "Only with reports of backend tests."),
	RG_KEY_TO("page", page, rg_audit_page_fields, OPTIONAL, false, "What a page draws."),
	{0}};
#undef OF

rg_error *rg_audit_json(rg_buf *out, const rg_audit *audit, const rg_column_context *columns)
{
	RG_AUTO(rg_audit_facts) facts = {0};
	rg_json_out json;

	rg_audit_facts_make(&facts, audit, columns);
	facts.whole = true;
	facts.series_shown = facts.series_count;
	rg_json_document(&json, out, "regild-audit");
	rg_json_put_fields(&json, rg_audit_fields, &facts, &facts);
	rg_json_close(&json, '}');
	return rg_buf_check(out, "the audit as JSON");
}
