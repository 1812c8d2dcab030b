/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "story/golden_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_audit_interest_names[RG_SERIES_INTERESTS] = {
	[RG_SERIES_BROKE] = "broke",
	[RG_SERIES_DRIFTS] = "drifts",
	[RG_SERIES_NOISY] = "noisy",
	[RG_SERIES_DETERMINISTIC] = "deterministic",
	[RG_SERIES_UNMEASURED] = "not measured",
};

const char *const rg_reliance_names[RG_RELIANCES] = {
	[RG_RELY_EXACT] = "exact",         [RG_RELY_WITHIN] = "within tolerances",
	[RG_RELY_THEORY] = "by theory",    [RG_RELY_TOO_FEW] = "too few runs",
	[RG_RELY_TOO_WIDE] = "over 100 %", [RG_RELY_FAILED] = "did not hold",
	[RG_RELY_DRIFTS] = "drifting",     [RG_RELY_NONE] = "not measured",
};

rg_reliance rg_audit_rely(const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const rg_tolerance *tolerance = &noise->tolerance;

	if (series->derived || !noise->finite_steps)
		return RG_RELY_NONE;
	if (series->drifts)
		return RG_RELY_DRIFTS;
	if (noise->deterministic)
		return noise->runs < RG_TOLERANCE_RUNS_MIN ? RG_RELY_TOO_FEW : RG_RELY_EXACT;
	if (tolerance->runs < RG_TOLERANCE_RUNS_MIN)
		return RG_RELY_TOO_FEW;
	if (!(tolerance->relative <= 1))
		return RG_RELY_TOO_WIDE;
	if (tolerance->failed_later)
		return RG_RELY_FAILED;
	return tolerance->by_theory ? RG_RELY_THEORY : RG_RELY_WITHIN;
}

const rg_tolerance *rg_audit_held_tolerance(const rg_audit_series *series)
{
	const rg_reliance held = rg_audit_rely(series);
	const bool holds = held == RG_RELY_WITHIN || held == RG_RELY_THEORY ||
			   held == RG_RELY_FAILED;
	return holds ? &series->noise.tolerance : NULL;
}

const char *rg_audit_group_name(const rg_audit_facts *facts, size_t group)
{
	return facts->audit->groups[group].name;
}

const double *rg_audit_row_values(const rg_figures *figures)
{
	return figures->figures ? figures->figures : figures->means;
}

rg_audit_tolerance rg_audit_tolerance_of(const rg_tolerance *t)
{
	const bool holds = rg_tolerance_holds(t);
	const bool known = t->by_rate && rg_tolerance_is_measured(t);
	return (rg_audit_tolerance){.relative = holds ? t->relative : NAN,
				    .absolute = holds ? t->absolute : NAN,
				    .by_theory = t->by_rate && t->by_theory,
				    .not_bounded = known && t->not_bounded,
				    .fails_at_least = known && !t->not_bounded ? t->fail_low : NAN,
				    .fails_at_most = known && !t->not_bounded ? t->fail_high : NAN,
				    .later = *t,
				    .max_relative = rg_round_places(t->max_relative, 6),
				    .max_absolute = rg_round_places(t->max_absolute, 6),
				    .included = t->included,
				    .by = rg_tolerance_kind_text(t->kind)};
}

double rg_audit_chance(const rg_audit *audit, double p)
{
	return audit->hang_together ? NAN : p;
}

const rg_components *rg_audit_told(rg_arena *arena, const rg_components *sources)
{
	if (!sources || !rg_components_are_told(sources))
		return NULL;
	rg_components *told = rg_arena_alloc(arena, sizeof(*told));
	*told = *sources;
	if (isnan(told->reruns))
		told->commits = told->reruns_low = told->reruns_high = NAN;
	return told;
}

static unsigned interest_of(const rg_audit_series *series)
{
	if (series->break_count)
		return RG_SERIES_BROKE;
	if (series->drifts)
		return RG_SERIES_DRIFTS;
	if (series->noise.deterministic)
		return RG_SERIES_DETERMINISTIC;
	return series->noise.measured ? RG_SERIES_NOISY : RG_SERIES_UNMEASURED;
}

/* How clear its clearest break is. */
static double clearest(const rg_audit_series *series)
{
	double least = 1;
	for (size_t i = 0; i < series->break_count; i++)
		least = fmin(least, series->breaks[i].adjusted);
	return least;
}

RG_ORDER(by_interest, rg_audit_entry,
	 RG_RISING(interest) || RG_BY(clearest(x->series), clearest(y->series)) ||
		 (order = rg_audit_by_spread(&x->series, &y->series)));

RG_ORDER_OF_POINTERS(by_family, rg_audit_entry,
		     RG_RISING(series->group) || RG_BY_TEXT(family) || RG_RISING(number));

char *rg_audit_family(rg_arena *arena, const char *metric)
{
	static const char tokens[] = "top_n_logprobs/*/";

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_family_add(&text, metric);
	/* The tokens of an answer are one. */
	const char *at = strstr(text.data, tokens);
	if (at) {
		rg_buf_truncate(&text, (size_t)(at - text.data) + strlen(tokens));
		rg_buf_char(&text, '*');
	}
	return rg_arena_text(arena, !text.is_full && text.length ? text.data : metric);
}

static const char *part_of(rg_audit_facts *facts, rg_name_part part)
{
	return part.text ? rg_arena_copy(&facts->arena, part.text, part.length) : NULL;
}

static void find_entry(rg_audit_facts *facts, const rg_audit_series *series)
{
	const double rate = facts->audit->options.tolerance.fail_rate;
	const rg_reliance rely = rg_audit_rely(series);
	size_t needed = rate > 0 ? rg_runs_needed(rate) : 0, runs = series->noise.tolerance.runs;

	if (series->noise.deterministic || needed < RG_TOLERANCE_RUNS_MIN)
		needed = RG_TOLERANCE_RUNS_MIN;
	if (series->noise.deterministic)
		runs = series->noise.runs;
	if ((rely != RG_RELY_THEORY && rely != RG_RELY_TOO_FEW) || needed < runs)
		needed = runs;
	rg_audit_tolerance *first = NULL;
	if (series->noise.tolerance.relative != series->all.tolerance.relative ||
	    series->noise.tolerance.absolute != series->all.tolerance.absolute) {
		first = rg_arena_alloc(&facts->arena, sizeof(*first));
		*first = rg_audit_tolerance_of(&series->all.tolerance);
	}
	facts->entries[facts->series_count++] = (rg_audit_entry){
		.series = series,
		.group = rg_audit_group_name(facts, series->group),
		.breaks = series->breaks,
		.break_count = series->break_count,
		.regime_from = series->break_count ? facts->audit->runs[series->regime_from].id
						   : NULL,
		.may_differ = series->noise.deterministic
				      ? rg_deterministic_bound(series->noise.runs)
				      : NAN,
		.spread = {series->noise.measured, &series->noise.spread, series->records},
		.sources = rg_audit_told(&facts->arena, series->sources),
		.dependence = &series->noise.dependence,
		.tolerance = rg_audit_tolerance_of(&series->noise.tolerance),
		.first_tolerance = first,
		.family = rg_audit_family(&facts->arena, series->metric),
		.interest = interest_of(series),
		.rely = rely,
		.more_runs = needed - runs,
		.smallest_break = rg_audit_smallest_break(facts->audit, series),
	};
}

void rg_audit_find_series(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;
	RG_AUTO_FREE const rg_audit_series **series = NULL;
	size_t count, end;

	rg_audit_all_series(audit, &series, &count);
	facts->entries = rg_arena_alloc(&facts->arena, (count + 1) * sizeof(*facts->entries));
	facts->by_family = rg_arena_alloc(&facts->arena, (count + 1) * sizeof(*facts->by_family));
	facts->families = rg_arena_alloc(&facts->arena, (count + 1) * sizeof(*facts->families));
	facts->odd = rg_arena_alloc(&facts->arena, (audit->run_count + 1) * sizeof(*facts->odd));
	for (size_t i = 0; i < audit->odd_count; i++)
		facts->odd[audit->odd_runs[i].run] = true;
	for (size_t i = 0; i < count; i++)
		find_entry(facts, series[i]);
	if (!count)
		return;
	qsort(facts->entries, count, sizeof(*facts->entries), by_interest);
	for (size_t i = 0; i < count; i++) {
		facts->entries[i].number = i + 1;
		facts->by_family[i] = &facts->entries[i];
		if (facts->columns) {
			rg_audit_entry *entry = &facts->entries[i];
			const rg_test_name name =
				rg_test_name_split(entry->series->file, facts->columns);
			rg_buf text = rg_buf_of(RG_BUF_TEXT);
			entry->stage = part_of(facts, name.stage);
			entry->variant = part_of(facts, name.variant);
			rg_test_name_add(&text, entry->series->file, facts->columns);
			entry->test = rg_buf_keep(&text, &facts->arena);
		}
	}
	qsort(facts->by_family, count, sizeof(*facts->by_family), by_family);
	for (size_t start = 0; start < count; start = end) {
		const rg_audit_entry *const *all = facts->by_family;
		for (end = start + 1; end < count &&
				      all[end]->series->group == all[start]->series->group &&
				      !strcmp(all[end]->family, all[start]->family);)
			end++;
		facts->families[facts->family_count++] = (rg_audit_kin){all + start, end - start};
	}
}

/* --- its runs, a letter each --- */

/* Places of a trend, and of a value that is not finite. */
static const char levels[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LEVELS = sizeof(levels) - 1, GAP = '-' };

/* The first of the runs that have a letter. */
static size_t first_row(const rg_audit_series *series)
{
	return series->row_count > RG_AUDIT_RUNS ? series->row_count - RG_AUDIT_RUNS : 0;
}

static void measure_range(double range[static 2], const rg_audit_facts *facts,
			  const rg_audit_series *series, bool all)
{
	const double *values = rg_audit_row_values(&series->all);
	range[0] = INFINITY;
	range[1] = -INFINITY;
	for (size_t i = first_row(series); i < series->row_count; i++)
		if (isfinite(values[i]) && (all || !facts->odd[series->row_runs[i]])) {
			range[0] = fmin(range[0], values[i]);
			range[1] = fmax(range[1], values[i]);
		}
}

/* The place of a finite value in the range, at its edge if it is beyond. Halves first: the range of
 * two huge values is not a double. */
static char level_of(const double range[static 2], double value)
{
	double share = 0.5;
	if (!isfinite(value))
		return GAP;
	if (range[1] > range[0])
		share = (value / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);
	return levels[lround(fmin(fmax(share, 0), 1) * (LEVELS - 1))];
}

void rg_audit_put_trend(rg_json_out *json, const void *of_entry, const void *of_facts)
{
	const rg_audit_entry *entry = of_entry;
	const rg_audit_facts *facts = of_facts;
	const rg_audit_series *series = entry->series;
	double range[2];

	if (!facts->columns || entry->number > RG_AUDIT_ROWS)
		return;
	/* The range of the runs that are not outliers, unless that is one value or none. */
	measure_range(range, facts, series, false);
	if (!(range[0] < range[1]))
		measure_range(range, facts, series, true);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (size_t i = first_row(series); i < series->row_count; i++)
		rg_buf_char(&text, level_of(range, rg_audit_row_values(&series->all)[i]));
	rg_json_key_text(json, "trend", text.data);
}

void rg_audit_put_odd(rg_json_out *json, const void *of_entry, const void *of_facts)
{
	const rg_audit_entry *entry = of_entry;
	const rg_audit_facts *facts = of_facts;
	const rg_audit_series *series = entry->series;

	if (!facts->columns || entry->number > RG_AUDIT_ROWS)
		return;
	rg_json_key_open_flat(json, "odd", '[');
	for (size_t i = first_row(series); i < series->row_count; i++)
		if (facts->odd[series->row_runs[i]])
			rg_json_count(json, i - first_row(series));
	rg_json_close(json, ']');
}
