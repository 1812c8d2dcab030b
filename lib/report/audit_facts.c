/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"

#include "base/memory.h"
#include "base/order.h"
#include "audit/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_lack(rg_audit_lack *out, size_t runs, size_t needed)
{
	size_t missing = needed > runs ? needed - runs : 0;
	if (!missing)
		return;
	out->least = !out->count || missing < out->least ? missing : out->least;
	out->most = missing > out->most ? missing : out->most;
	out->count++;
}

static void tally_add(rg_audit_tally *t, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const rg_reliance found = rg_audit_rely(series);
	const double rate = audit->options.tolerance.fail_rate, rtol = noise->tolerance.relative;
	size_t needed = rate > 0 ? rg_runs_needed(rate) : 0;

	if (needed < RG_TOLERANCE_RUNS_MIN)
		needed = RG_TOLERANCE_RUNS_MIN;
	if (found == RG_RELY_WITHIN) {
		t->least = t->counts[found] ? fmin(t->least, rtol) : rtol;
		t->most = fmax(t->most, rtol);
	}
	if (found == RG_RELY_EXACT && (!t->counts[found] || noise->runs < t->exact_runs))
		t->exact_runs = noise->runs;
	if (found == RG_RELY_THEORY || found == RG_RELY_TOO_FEW)
		add_lack(&t->lack, noise->deterministic ? noise->runs : noise->tolerance.runs,
			 noise->deterministic ? RG_TOLERANCE_RUNS_MIN : needed);
	t->counts[found]++;
}

/* Nobody asks for the least where it is the most. */
static void lack_finish(rg_audit_lack *lack)
{
	if (lack->least == lack->most)
		lack->least = 0;
}

/* The counts that are not 0. */
static void tally_finish(rg_audit_facts *facts, rg_audit_tally *t, const rg_audit_lack *lacks)
{
	t->classes = rg_arena_alloc(&facts->arena, RG_RELIANCES * sizeof(*t->classes));
	lack_finish(&t->lack);
	for (unsigned i = 0; i < RG_RELIANCES; i++) {
		rg_audit_class *class = &t->classes[t->class_count];
		*class = (rg_audit_class){i, t->counts[i], lacks ? lacks[i] : (rg_audit_lack){0}};
		lack_finish(&class->lack);
		t->class_count += t->counts[i] ? 1 : 0;
	}
}

/* --- goldens --- */

RG_ORDER(by_reliance, rg_audit_golden,
	 RG_BY(!x->file->series_count, !y->file->series_count) || RG_FALLING(rely) ||
		 RG_FALLING(file->failed_today) || RG_RISING(file));

static void find_golden(rg_audit_facts *facts, rg_audit_golden *out, const rg_audit_file *file)
{
	*out = (rg_audit_golden){.file = file,
				 .group = rg_audit_group_name(facts, file->group),
				 .rely = RG_RELY_NONE,
				 .failed_recommended = rg_audit_file_is_recommended(file)
							       ? file->failed_recommended
							       : SIZE_MAX};
	for (size_t i = 0; i < file->series_count; i++)
		tally_add(&out->held, facts->audit, &file->series[i]);
	for (unsigned i = 0; i < RG_RELY_NONE; i++)
		if (out->held.counts[i])
			out->rely = i;
	tally_finish(facts, &out->held, NULL);
}

static void find_goldens(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;
	rg_audit_tally *all = &facts->goldens_held;
	rg_audit_lack lacks[RG_RELIANCES] = {{0}};

	facts->goldens =
		rg_arena_alloc(&facts->arena, (audit->file_count + 1) * sizeof(*facts->goldens));
	for (size_t i = 0; i < audit->file_count; i++) {
		rg_audit_golden *golden = &facts->goldens[facts->golden_count++];
		find_golden(facts, golden, &audit->files[i]);
		if (!golden->file->series_count)
			continue;
		const unsigned rely = golden->rely;
		facts->measured_goldens++;
		all->counts[rely]++;
		add_lack(&lacks[rely], 0, golden->held.lack.most);
		if (rely == RG_RELY_THEORY || rely == RG_RELY_TOO_FEW)
			add_lack(&all->lack, 0, golden->held.lack.most);
		for (size_t k = 0; rely <= RG_RELY_WITHIN && k < golden->file->series_count; k++)
			tally_add(&facts->relied_held, audit, &golden->file->series[k]);
	}
	if (facts->golden_count)
		qsort(facts->goldens, facts->golden_count, sizeof(*facts->goldens), by_reliance);
	tally_finish(facts, all, lacks);
	if (facts->relied_held.least == facts->relied_held.most)
		facts->relied_held.least = NAN;
	facts->relied = all->counts[RG_RELY_EXACT] + all->counts[RG_RELY_WITHIN];
	facts->may_differ = facts->relied_held.counts[RG_RELY_EXACT]
				    ? rg_deterministic_bound(facts->relied_held.exact_runs)
				    : NAN;
}

/* --- metrics --- */

RG_ORDER_OF_POINTERS(by_file, rg_audit_series, RG_BY_TEXT(file) || RG_BY_TEXT(metric));

/* The figures of all series of a family. */
static void pool(rg_audit_facts *facts, rg_audit_summary *out, const rg_audit_kin *kin)
{
	RG_AUTO_FREE const rg_audit_series **series = rg_calloc(kin->count, sizeof(*series));
	size_t files = 0;

	for (size_t i = 0; i < kin->count; i++)
		series[i] = kin->entries[i]->series;
	qsort(series, kin->count, sizeof(*series), by_file);
	for (size_t i = 0; i < kin->count; i++)
		files += !i || strcmp(series[i]->file, series[i - 1]->file) ? 1 : 0;
	*out = (rg_audit_summary){.group = series[0]->group};
	rg_audit_pool(out, facts->audit, series, kin->count);
	out->files = files;
}

RG_ORDER(compare_kin, rg_audit_kin,
	 RG_RISING(entries[0]->series->group) || RG_BY_TEXT(entries[0]->family));

static bool has_several(const rg_audit_kin *kin, const char *metric)
{
	for (size_t i = 0; i < kin->count; i++)
		if (strcmp(kin->entries[i]->series->metric, metric) != 0)
			return true;
	return false;
}

static rg_audit_line *append_line(rg_audit_facts *facts, rg_audit_lines *lines, const char *name,
				  const rg_audit_summary *summary)
{
	rg_audit_line *line =
		RG_ARENA_PUSH(&facts->arena, lines->items, lines->count, lines->capacity);
	rg_spread *spread = rg_arena_alloc(&facts->arena, sizeof(*spread));
	*spread = summary->spread;
	*line = (rg_audit_line){.name = name,
				.group = rg_audit_group_name(facts, summary->group),
				.summary = *summary,
				.spread = {summary->measured, spread, summary->records},
				.tolerance = rg_audit_tolerance_of(&summary->tolerance),
				.series = summary->files};
	return line;
}

static void finish_line(rg_audit_facts *facts, rg_audit_line *line, const rg_audit_kin *kin,
			const char *metric)
{
	for (size_t i = 0; kin && i < kin->count; i++)
		if (!metric || !strcmp(kin->entries[i]->series->metric, metric))
			tally_add(&line->held, facts->audit, kin->entries[i]->series);
	tally_finish(facts, &line->held, NULL);
	line->sources = rg_audit_told(&facts->arena, &line->summary.sources);
}

/* One line of the table: in the list of those that differ, or that never did. */
static void append_metric(rg_audit_facts *facts, const char *name, const rg_audit_summary *summary,
			  const rg_audit_kin *kin)
{
	const size_t series = kin ? kin->count : summary->files;
	rg_audit_lines *lines = summary->deterministic < series ? &facts->metrics
								: &facts->deterministic_metrics;
	rg_audit_line *line = append_line(facts, lines, name, summary);

	line->series = series;
	finish_line(facts, line, kin, NULL);
	facts->told_apart |= line->sources && lines == &facts->metrics;
}

static double spread_of(const rg_audit_line *line)
{
	return isnan(line->summary.spread.max) ? -1 : line->summary.spread.max;
}

/* The metrics of most goldens first, then those that spread most. */
RG_ORDER(by_spread, rg_audit_line,
	 RG_RISING(summary.group) || RG_FALLING(summary.files) ||
		 RG_BY(spread_of(y), spread_of(x)) || RG_BY_TEXT(name));

static void find_metrics(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;
	RG_AUTO_FREE bool *pooled = rg_calloc(facts->family_count + 1, sizeof(*pooled));

	for (size_t i = 0; i < audit->metric_count; i++) {
		const rg_audit_summary *summary = &audit->metrics[i];
		const rg_audit_series series = {.group = summary->group};
		const rg_audit_entry wanted = {
			.series = &series,
			.family = rg_audit_family(&facts->arena, summary->metric)};
		const rg_audit_entry *const only = &wanted;
		const rg_audit_kin key = {&only, 1};
		const rg_audit_kin *kin = bsearch(&key, facts->families, facts->family_count,
						  sizeof(key), compare_kin);
		if (!kin || !has_several(kin, summary->metric)) {
			append_metric(facts, summary->metric, summary, kin);
			continue;
		}
		rg_audit_line *member =
			append_line(facts, &facts->family_members, summary->metric, summary);
		member->family = wanted.family;
		finish_line(facts, member, kin, summary->metric);
		if (!pooled[kin - facts->families]) {
			rg_audit_summary all;
			pooled[kin - facts->families] = true;
			pool(facts, &all, kin);
			append_metric(facts, wanted.family, &all, kin);
		}
	}
	for (size_t i = 0; i < audit->group_count; i++)
		append_line(facts, &facts->overall, NULL, &audit->overall[i]);
	rg_audit_lines *const lists[] = {&facts->metrics, &facts->deterministic_metrics};
	for (size_t i = 0; i < 2; i++)
		if (lists[i]->count)
			qsort(lists[i]->items, lists[i]->count, sizeof(*lists[i]->items),
			      by_spread);
}

/* --- all series together --- */

/* Facts that are not known are NULL. */
static void find_runs(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;
	facts->run_count = audit->run_count;
	facts->first_run = audit->run_count ? audit->runs[0].id : NULL;
	facts->last_run = audit->run_count ? audit->runs[audit->run_count - 1].id : NULL;
	facts->runs = rg_arena_alloc(&facts->arena, (audit->run_count + 1) * sizeof(*facts->runs));
	for (size_t i = 0; i < audit->run_count; i++) {
		const rg_audit_run *run = &audit->runs[i];
		facts->runs[i] = (rg_audit_run){run->id, *run->when ? run->when : NULL,
						*run->branch ? run->branch : NULL,
						*run->commit ? run->commit : NULL};
	}
	facts->opaque =
		rg_arena_alloc(&facts->arena, (audit->opaque_count + 1) * sizeof(*facts->opaque));
	for (; facts->opaque_count < audit->opaque_count; facts->opaque_count++)
		facts->opaque[facts->opaque_count] = audit->opaque[facts->opaque_count].path;
}

static void add_later(rg_audit_later *later, const rg_audit_series *series)
{
	const rg_tolerance *t = &series->noise.tolerance, *worst = &later->worst;
	later->varied |= later->tested && memcmp(t->tested, worst->tested, sizeof(t->tested)) != 0;
	later->failed += t->failed_later ? 1 : 0;
	if (later->tested++ && t->failed * worst->newer <= worst->failed * t->newer)
		return;
	later->metric = series->metric;
	later->golden = series->file;
	later->worst = *t;
}

static void count_series(rg_audit_facts *facts, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const double rate = facts->audit->options.tolerance.fail_rate;
	const size_t runs = noise->runs - noise->other_steps - noise->nonfinite;

	facts->left_out.any +=
		series->missing || series->all.other_steps || series->all.nonfinite ? 1 : 0;
	facts->left_out.missing += series->missing ? 1 : 0;
	facts->left_out.other_steps += series->all.other_steps ? 1 : 0;
	facts->left_out.nonfinite += series->all.nonfinite ? 1 : 0;
	if (noise->tolerance.newer)
		add_later(&facts->later, series);
	if (noise->deterministic) {
		const double bound = rg_deterministic_bound(noise->runs);
		facts->deterministic_bound =
			facts->deterministic++ ? fmax(bound, facts->deterministic_bound) : bound;
	}
	if (series->derived || series->drifts || !noise->finite_steps)
		return;
	/* If all values are near zero, no run has a deviation, and they count as well. */
	add_lack(&facts->for_verdicts, runs, rg_runs_needed(RG_VERDICT_LEVEL));
	if (rate > 0)
		add_lack(&facts->for_tolerances, noise->tolerance.runs, rg_runs_needed(rate));
}

void rg_audit_facts_make(rg_audit_facts *out, const rg_audit *audit,
			 const rg_column_context *columns)
{
	const double rate = audit->options.tolerance.fail_rate;
	*out = (rg_audit_facts){.audit = audit,
				.cases = audit->case_total ? audit : NULL,
				.columns = columns,
				.multiplier = rate > 0 ? NAN : audit->options.tolerance.multiplier,
				.false_breaks = rg_audit_chance(audit, audit->options.error_rate),
				.fail_rate = rate > 0 ? rate : NAN,
				.group_by = rg_audit_grouping_names[audit->options.grouping],
				.groups = audit->groups,
				.group_count = audit->group_count,
				.grouped = audit->group_count > 1,
				.deterministic_bound = NAN};
	rg_arena_init(&out->arena);
	find_runs(out);
	rg_audit_find_series(out);
	for (size_t i = 0; i < out->series_count; i++)
		count_series(out, out->entries[i].series);
	lack_finish(&out->for_verdicts);
	lack_finish(&out->for_tolerances);
	if (out->series_count > RG_AUDIT_ROWS)
		out->more_series = out->series_count - RG_AUDIT_ROWS;
	out->for_verdicts.needed = rg_runs_needed(RG_VERDICT_LEVEL);
	out->for_tolerances.needed = rate > 0 ? rg_runs_needed(rate) : 0;
	/* The smallest break that half of the series would have shown, of those that do not drift.
	 */
	RG_AUTO_FREE double *sizes = rg_calloc(out->series_count + 1, sizeof(*sizes));
	for (size_t i = 0; i < out->series_count; i++) {
		const rg_audit_series *series = out->entries[i].series;
		if (series->noise.measured < RG_CHANGE_MIN || series->drifts)
			continue;
		sizes[out->smallest.of] = out->entries[i].smallest_break;
		out->smallest.none += isinf(sizes[out->smallest.of++]) ? 1 : 0;
	}
	out->smallest.half = out->smallest.of ? rg_quantile(sizes, out->smallest.of, 0.5) : NAN;
	find_goldens(out);
	find_metrics(out);
	rg_audit_find_findings(out);
	if (columns)
		rg_audit_find_page(out);
}

void rg_audit_facts_release(rg_audit_facts *facts)
{
	rg_arena_release(&facts->arena);
}
