/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/condition.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/pattern.h"
#include "compare/checks.h"
#include "compare/direction.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static double lost(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (row && row->gap == RG_GAP_OLD_ONLY)
		return (double)row->lost;
	if (subject->file->status == RG_FILE_REMOVED)
		return 1;
	const size_t lost = row ? row->left_out.old_only : subject->file->lost.count;
	return lost ? (double)lost : NAN;
}

/* An SNR is infinite where there is no noise. */
static double nonfinite(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row && subject->file->nonfinite)
		return (double)subject->file->nonfinite;
	if (row && row->scale == RG_SCALE_SNR && row->new_place > row->old_place)
		return NAN;
	return row && row->nonfinite ? (double)row->nonfinite : NAN;
}

/* New records are the golden's, for all of its metrics have them. */
static double is_new(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row)
		return subject->file->status == RG_FILE_NEW ? 1
		       : subject->file->gained.count        ? (double)subject->file->gained.count
							    : NAN;
	if (row->gap == RG_GAP_NEW_ONLY)
		return (double)row->new_count;
	return row->left_out.new_only ? (double)row->left_out.new_only : NAN;
}

/* By however little. A golden as a whole is changed if it or some of its records are on one side
 * only, or if it differs where no row shows it. */
static double changed(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	const rg_file_outcome *file = subject->file;

	if (!row)
		return file->layout || file->unread || file->lost.count || file->gained.count ||
				       file->status == RG_FILE_NEW ||
				       file->status == RG_FILE_REMOVED
			       ? 1
			       : NAN;
	const bool both = row->gap == RG_GAP_NONE || row->gap == RG_GAP_NO_STEPS;
	return both && row->identical && !row->left_out.old_placeholder ? NAN : 1;
}

static double has_status(const rg_condition_subject *subject, rg_file_status status)
{
	return !subject->row && subject->file->status == status ? 1 : NAN;
}

static double in_bulk(const rg_condition_subject *subject)
{
	bool over = (double)subject->changed_goldens > subject->number;
	return !subject->row && subject->changed && over ? (double)subject->changed_goldens : NAN;
}

static double removed(const rg_condition_subject *subject)
{
	return has_status(subject, RG_FILE_REMOVED);
}

static double unreadable(const rg_condition_subject *subject)
{
	return has_status(subject, RG_FILE_UNREADABLE);
}

static double over_tolerance(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row || !row->over.count)
		return NAN;
	return isnan(row->over.off) ? INFINITY : row->over.off;
}

/* A check that nobody could hold does not pass. */
static double fails_check(const rg_condition_subject *subject)
{
	size_t check = rg_checks_find(subject->checks, subject->argument);
	uint32_t fails = subject->row ? subject->row->check_fails
				      : subject->file->check_fails | subject->file->unchecked;

	return check < RG_CHECKS_MAX && fails >> check & 1 ? 1 : NAN;
}

/* METRIC is a glob, as --fail-above has it. */
static double outside(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row || row->verdict.kind != RG_VERDICT_OUTSIDE)
		return NAN;
	if (subject->argument && !rg_glob_match(subject->argument, row->metric, RG_GLOB_ANY_SLASH))
		return NAN;
	return row->verdict.beyond;
}

/* Tests at the noise level, or at the level that the condition names. */
static double of_another_run(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row || row->verdict.kind == RG_VERDICT_NONE)
		return NAN;
	/* A row of an answer that is open has no p, and stands out or does not. */
	bool is = subject->argument && !isnan(row->verdict.run_p)
			  ? row->verdict.run_p <= subject->number * (1 + 1e-12)
			  : row->verdict.stands_out;
	return is ? row->verdict.beyond : NAN;
}

/* A verdict that cannot be given counts as unmeasured: no gate is green by silence. */
static double unmeasured(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	if (!row || row->identical || row->verdict.kind == RG_VERDICT_WITHIN ||
	    row->verdict.kind == RG_VERDICT_OUTSIDE)
		return NAN;
	const bool differs =
		row->gap == RG_GAP_NONE ||
		(row->gap == RG_GAP_NO_STEPS &&
		 (row->values_differ || row->left_out.old_only || row->left_out.new_only));
	return differs ? 1 : NAN;
}

/* --- worse, and by how much --- */

/* Counts a test that did not crash before, or that the old side does not have. */
static double crashed(const rg_row *row)
{
	if (row->scale != RG_SCALE_RESULT || isnan(row->new_place))
		return NAN;
	return row->new_place == RG_PLACE_CRASH && row->old_place != RG_PLACE_CRASH ? 1 : 0;
}

static double newly_failing(const rg_row *row)
{
	if (row->scale != RG_SCALE_RESULT || isnan(row->old_place) || isnan(row->new_place))
		return NAN;
	return row->new_place >= RG_PLACE_FAIL && row->old_place < RG_PLACE_FAIL ? 1 : 0;
}

static double undelegated(const rg_row *row)
{
	return row->scale == RG_SCALE_DELEGATED ? row->new_place - row->old_place : NAN;
}

static double status_worse(const rg_row *row)
{
	bool has_status = row->scale == RG_SCALE_RESULT || row->scale == RG_SCALE_STATUS;
	return has_status ? row->new_place - row->old_place : NAN;
}

unsigned rg_condition_traits(const rg_golden *golden, const rg_policy *policy, const char *file)
{
	static const unsigned by_scale[] = {[RG_SCALE_RESULT] = RG_HAS_RESULT,
					    [RG_SCALE_DELEGATED] = RG_HAS_DELEGATED,
					    [RG_SCALE_STATUS] = RG_HAS_STATUS,
					    [RG_SCALE_SNR] = RG_HAS_SNR};
	rg_metric_policy own;
	unsigned has = 0;

	for (size_t i = 0; golden && i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		has |= by_scale[metric->scale] | (metric->tolerances ? RG_HAS_TOLERANCE : 0);
		if (has & RG_HAS_TIME || metric->kind != RG_METRIC_SERIES)
			continue;
		rg_policy_resolve(policy, file, metric->name, &own);
		has |= rg_measure_of(&own, metric, NULL) == RG_MEASURE_DURATION ? RG_HAS_TIME : 0;
	}
	return has;
}

/* A table counts by its slowest record: faster ones make up for none. */
static double slower(const rg_row *row)
{
	if (!row->n_steps || row->measure != RG_MEASURE_DURATION)
		return NAN;
	return row->by_record ? -row->most_larger : -row->avg_rel_diff;
}

double rg_snr_drop(double before, double now)
{
	if (isnan(before) || now >= before)
		return 0;
	return isnan(now) ? INFINITY : before - now;
}

static double snr_drop(const rg_row *row)
{
	if (row->scale != RG_SCALE_SNR || isnan(row->old_place) || row->gap == RG_GAP_OLD_ONLY)
		return NAN;
	return rg_snr_drop(row->old_place, row->new_place);
}

const rg_condition rg_conditions[] = {
	{.name = "changed",
	 .help = "a golden's bytes differ",
	 .kind = RG_BREACH_CHANGED,
	 .test = changed},
	{.name = "changed-beyond-noise",
	 .takes = RG_ARGUMENT_OPTIONAL_LEVEL,
	 .argument = "[=LEVEL]",
	 .help = "the run differs from those of the noise model; this is wrong in at most LEVEL "
		 "of cases",
	 .kind = RG_BREACH_RUN,
	 .needs = RG_HAS_NOISE_MODEL,
	 .needed = "there is no noise model; give --noise (regild audit makes one)",
	 .test = of_another_run},
	{.name = "changed-goldens",
	 .takes = RG_ARGUMENT_NUMBER,
	 .argument = "=N",
	 .help = "more than N goldens change, and no commit has the trailer 'Regild-Bulk: yes'",
	 .kind = RG_BREACH_BULK,
	 .test = in_bulk},
	{.name = "check",
	 .takes = RG_ARGUMENT_NAME,
	 .argument = ":NAME",
	 .help = "the new values fail this check of the project ([check \"NAME\"])",
	 .kind = RG_BREACH_CHECK,
	 .test = fails_check},
	{.name = "crash",
	 .help = "a test crashes that did not crash before",
	 .kind = RG_BREACH_CRASH,
	 .needs = RG_HAS_RESULT,
	 .needed = "no golden has a test's result",
	 .worse = crashed},
	{.name = "lost",
	 .help = "the new side lost goldens, metrics, steps or records",
	 .kind = RG_BREACH_LOST,
	 .test = lost},
	{.name = "new",
	 .help = "a golden, metric, step or record is new",
	 .kind = RG_BREACH_NEW,
	 .test = is_new},
	{.name = "newly-failing",
	 .help = "a test fails that passed or was skipped before",
	 .kind = RG_BREACH_NEWLY_FAILING,
	 .needs = RG_HAS_RESULT,
	 .needed = "no golden has a test's result",
	 .worse = newly_failing},
	{.name = "nonfinite",
	 .help = "a value became NaN or infinite, or another of these, or a new golden has one",
	 .kind = RG_BREACH_NONFINITE,
	 .test = nonfinite},
	{.name = "outside",
	 .takes = RG_ARGUMENT_OPTIONAL_NAME,
	 .argument = "[:METRIC]",
	 .help = "a metric is outside what the noise model measured",
	 .kind = RG_BREACH_OUTSIDE,
	 .needs = RG_HAS_NOISE_MODEL,
	 .needed = "there is no noise model; give --noise (regild audit makes one)",
	 .test = outside},
	{.name = "removed",
	 .help = "a whole golden was removed",
	 .kind = RG_BREACH_REMOVED,
	 .test = removed},
	{.name = "run",
	 .takes = RG_ARGUMENT_OPTIONAL_LEVEL,
	 .argument = "[=LEVEL]",
	 .help = "the same as changed-beyond-noise",
	 .kind = RG_BREACH_RUN,
	 .needs = RG_HAS_NOISE_MODEL,
	 .needed = "there is no noise model; give --noise (regild audit makes one)",
	 .test = of_another_run},
	{.name = "slower",
	 .takes = RG_ARGUMENT_PERCENT,
	 .argument = "=P%",
	 .help = "a duration grew by more than P per cent",
	 .kind = RG_BREACH_SLOWER,
	 .needs = RG_HAS_TIME,
	 .needed = "no golden has a time",
	 .worse = slower},
	{.name = "snr-drop",
	 .takes = RG_ARGUMENT_NUMBER,
	 .argument = "=DB",
	 .help = "a test's SNR fell by more than DB decibels",
	 .kind = RG_BREACH_SNR_DROP,
	 .needs = RG_HAS_SNR,
	 .needed = "no golden has a test's SNR",
	 .worse = snr_drop},
	{.name = "status-worse",
	 .help = "a test's result or an operator's status is worse",
	 .kind = RG_BREACH_STATUS_WORSE,
	 .needs = RG_HAS_RESULT | RG_HAS_STATUS,
	 .needed = "no golden has a test's result or an operator's status",
	 .worse = status_worse},
	{.name = "tolerance",
	 .help = "a table's record differs by more than its own tolerance",
	 .kind = RG_BREACH_TOLERANCE,
	 .needs = RG_HAS_TOLERANCE,
	 .needed = "no golden has records with a tolerance of their own",
	 .test = over_tolerance},
	{.name = "undelegated",
	 .help = "a test that passes is no longer delegated",
	 .kind = RG_BREACH_UNDELEGATED,
	 .needs = RG_HAS_DELEGATED,
	 .needed = "no golden says whether a test was delegated",
	 .worse = undelegated},
	{.name = "unmeasured",
	 .help = "the noise model lacks a metric, or has too few runs of it",
	 .kind = RG_BREACH_UNMEASURED,
	 .test = unmeasured},
	{.name = "unreadable",
	 .help = "a golden could not be read (exit code 4)",
	 .kind = RG_BREACH_UNREADABLE,
	 .test = unreadable},
	{0},
};

double rg_condition_test(const rg_asked_condition *asked, const rg_condition_subject *subject)
{
	const rg_condition *condition = asked->condition;
	rg_condition_subject at = *subject;

	at.argument = asked->argument;
	at.number = asked->number;
	if (condition->test)
		return condition->test(&at);
	double value = subject->row ? condition->worse(subject->row) : NAN;
	return value > asked->number ? value : NAN;
}

const rg_condition *rg_condition_of(rg_breach_kind kind)
{
	const rg_condition *condition = rg_conditions;
	while (condition->name && condition->kind != kind)
		condition++;
	return condition->name ? condition : NULL;
}

static rg_error *unknown(const rg_condition *table, const char *name)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_nearest nearest;

	rg_nearest_init(&nearest, name);
	rg_buf_printf(&text, "'%s' is not a condition; there are", name);
	for (; table->name; table++) {
		rg_nearest_offer(&nearest, table->name);
		rg_buf_printf(&text, " %s%s%s", table->name, table->argument ? table->argument : "",
			      table[1].name ? "," : "");
	}
	if (rg_nearest_name(&nearest))
		rg_buf_printf(&text, "; did you mean '%s'?", rg_nearest_name(&nearest));
	return rg_error_new(RG_E_USAGE, "%s", text.data);
}

/* "3" or "5%", of 0 or more; a level of over 0 and at most 1. */
static bool parse_number(rg_argument_kind kind, const char *text, double *out)
{
	const bool percent = strchr(text, '%') != NULL;
	bool parsed = percent == (kind == RG_ARGUMENT_PERCENT) &&
		      rg_fraction_parse(text, strlen(text), out) && isfinite(*out) && *out >= 0;
	return parsed && (kind != RG_ARGUMENT_OPTIONAL_LEVEL || (*out > 0 && *out <= 1));
}

rg_error *rg_condition_find(rg_asked_condition *out, const rg_condition *table, const char *text)
{
	const size_t length = strcspn(text, ":=");
	const char *argument = text[length] ? text + length + 1 : NULL;
	const rg_condition *found = table;

	while (found->name && (strlen(found->name) != length || memcmp(found->name, text, length)))
		found++;
	*out = (rg_asked_condition){.condition = found, .argument = argument, .text = text};
	if (!found->name)
		return unknown(table, text);
	if (!found->takes && argument)
		return rg_error_new(RG_E_USAGE, "'%s': %s takes no argument", text, found->name);
	const bool optional = found->takes == RG_ARGUMENT_NONE ||
			      found->takes == RG_ARGUMENT_OPTIONAL_NAME ||
			      found->takes == RG_ARGUMENT_OPTIONAL_LEVEL;
	if (argument ? !*argument : !optional)
		return rg_error_new(RG_E_USAGE, "'%s' needs an argument: %s%s", text, found->name,
				    found->argument);
	if (found->takes <= RG_ARGUMENT_NAME || !argument ||
	    parse_number(found->takes, argument, &out->number))
		return NULL;
	if (found->takes == RG_ARGUMENT_OPTIONAL_LEVEL)
		return rg_error_new(RG_E_USAGE, "'%s': %s is not over 0 and at most 1", text,
				    argument);
	return rg_error_new(RG_E_USAGE, "'%s' is not %s%s with a number of 0 or more", text,
			    found->name, found->argument);
}
