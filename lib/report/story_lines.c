/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/statistics.h"
#include "compare/summary.h"
#include "report/new_runs.h"
#include "report/run_page.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many reasons, shapes, metrics, stages and rows a line names before it counts the others. */
enum { REASONS_NAMED = 2, METRICS_NAMED = 2, STAGES_NAMED = 4, ROWS_NAMED = 2, COMMIT_SHOWN = 7 };

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* --- what was done --- */

/* How many of the outcome's items have this reason. */
static size_t count_reason(const rg_refresh *refresh, rg_refresh_outcome outcome, const char *why)
{
	size_t i, n = 0;

	for (i = 0; i < refresh->count; i++)
		n += refresh->items[i].outcome == outcome && refresh->items[i].why &&
		     !strcmp(refresh->items[i].why, why);
	return n;
}

/* "; 3 held back: not finite (2), uncommitted edit (1)" */
static void say_outcome(rg_buf *out, const rg_refresh *refresh, rg_refresh_outcome outcome)
{
	const char *named[REASONS_NAMED] = {0};
	size_t i, count = 0, told = 0, n = refresh->counts[outcome];

	if (!n)
		return;
	rg_buf_printf(out, "; %zu %s", n, rg_refresh_names[outcome]);
	for (i = 0; i < refresh->count && count < REASONS_NAMED; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		size_t alike;

		if (item->outcome != outcome || !item->why ||
		    (count && !strcmp(named[0], item->why)))
			continue;
		alike = count_reason(refresh, outcome, item->why);
		named[count] = item->why;
		rg_buf_printf(out, "%s%s", count++ ? ", " : ": ", item->why);
		told += alike;
		if (alike < n)
			rg_buf_printf(out, " (%zu)", alike);
	}
	if (count && told < n)
		rg_buf_printf(out, ", %zu for other reasons", n - told);
}

static void say_run(rg_buf *out, const rg_run_facts *run)
{
	const rg_run_page page = rg_run_page_of(run->url);

	if (!run->id && run->from)
		rg_buf_printf(out, " from %s", run->from);
	if (!run->id)
		return;
	rg_buf_printf(out, " from %s %s", page.gitlab ? "pipeline" : "run", run->id);
	if (run->attempt && !page.gitlab)
		rg_buf_printf(out, ", attempt %u", run->attempt);
	if (run->commit)
		rg_buf_printf(out, ", commit %.*s", COMMIT_SHOWN, run->commit);
	if (run->fork)
		rg_buf_printf(out, " of %s", run->fork);
	if (run->branch)
		rg_buf_printf(out, " on %s", run->branch);
}

static void say_among(rg_buf *out, const rg_among *among)
{
	if (!among->take)
		return;
	rg_buf_str(out, ", ");
	rg_among_say(out, among);
}

/* The first reason is mostly that of all. */
static void say_missed_runs(rg_buf *out, const rg_texts *missed)
{
	if (missed->count)
		rg_buf_printf(out, "; %zu run%s missing: %s", missed->count, plural(missed->count),
			      missed->items[0]);
	if (missed->count > 1)
		rg_buf_printf(out, ", and %zu more", missed->count - 1);
}

static void say_refresh(rg_buf *out, const rg_story *story)
{
	const rg_refresh *refresh = story->summary->refresh;
	const rg_run_facts *run = &story->summary->run;
	const size_t *counts = refresh->counts;
	size_t put = counts[RG_REFRESH_UPDATED] + counts[RG_REFRESH_NEW], all = 0, i;

	/* What is gone is not the run's. */
	for (i = 0; i < RG_REFRESH_GONE; i++)
		all += counts[i];
	rg_buf_printf(out, "%zu of %zu golden%s", put, all, plural(all));
	say_run(out, run);
	say_among(out, &run->among);
	if (counts[RG_REFRESH_NEW])
		rg_buf_printf(out, "; %zu of them new", counts[RG_REFRESH_NEW]);
	if (counts[RG_REFRESH_UNCHANGED])
		rg_buf_printf(out, "; %zu unchanged", counts[RG_REFRESH_UNCHANGED]);
	say_outcome(out, refresh, RG_REFRESH_HELD);
	say_outcome(out, refresh, RG_REFRESH_MISSING);
	if (counts[RG_REFRESH_LEFT_OUT])
		rg_buf_printf(out, "; %zu left out", counts[RG_REFRESH_LEFT_OUT]);
	say_outcome(out, refresh, RG_REFRESH_GONE);
	if (run->commit && run->commit_note)
		rg_buf_printf(out, "; the run's commit %s", run->commit_note);
	say_missed_runs(out, &run->among.missed);
}

static void say_comparison(rg_buf *out, const rg_story *story)
{
	const rg_summary *summary = story->summary;
	const rg_comparison *c = summary->comparison;

	if (c->file_count)
		rg_buf_printf(out, "%zu golden%s compared", c->compared, plural(c->compared));
	else
		rg_buf_str(out, summary->filtered ? "no golden that --filter keeps differs"
						  : "no golden differs");
	if (summary->old_side && summary->new_side)
		rg_buf_printf(out, ": %s against %s", summary->new_side, summary->old_side);
	if (c->new_files)
		rg_buf_printf(out, "; %zu new", c->new_files);
	if (c->removed)
		rg_buf_printf(out, "; %zu removed", c->removed);
	if (c->unreadable)
		rg_buf_printf(out, "; %zu unreadable", c->unreadable);
}

static void say_done(rg_buf *out, const rg_story *story)
{
	if (story->summary->refresh)
		say_refresh(out, story);
	else
		say_comparison(out, story);
}

/* --- what changed --- */

static void say_shapes(rg_buf *out, const rg_story *story)
{
	size_t i;

	for (i = 0; i < story->shape_count && i < RG_STORY_SHAPES_NAMED; i++)
		rg_buf_printf(out, "%s%s", i ? ". " : "", story->shapes[i].text);
	if (i < story->shape_count)
		rg_buf_printf(out, ". %zu more change%s in shape", story->shape_count - i,
			      plural(story->shape_count - i));
}

static bool moved(const rg_cohort *c)
{
	return c->kind == RG_COHORT_LARGER || c->kind == RG_COHORT_SMALLER ||
	       c->kind == RG_COHORT_MIXED;
}

static bool same_metric(const rg_cohort *a, const rg_cohort *b)
{
	return !strcmp(a->metric, b->metric);
}

static bool same_stage(const rg_cohort *a, const rg_cohort *b)
{
	return same_metric(a, b) && !rg_name_part_compare(&a->stage, &b->stage);
}

/* Cohorts that moved come first, by metric and stage. How many are like the first one? */
static size_t moved_alike(const rg_story *story, size_t first,
			  bool same(const rg_cohort *, const rg_cohort *))
{
	size_t end = first + 1;

	while (end < story->cohort_count && moved(&story->cohorts[end]) &&
	       same(&story->cohorts[first], &story->cohorts[end]))
		end++;
	return end - first;
}

/* All variants of a stage as one: "gpt new is 2 to 2.8 % larger". Of those whose halves cancel the
 * steps are told too, and a variant that has a direction keeps it. */
static void say_stage(rg_buf *out, const rg_cohort *cohorts, size_t count)
{
	double low = cohorts->low, high = cohorts->high, mean_abs = 0;
	size_t i, cancels = 0;

	for (i = 0; i < count; i++) {
		low = fmin(low, cohorts[i].low);
		high = fmax(high, cohorts[i].high);
		if (cohorts[i].cancels)
			mean_abs = fmax(mean_abs, cohorts[i].mean_abs);
		cancels += cohorts[i].cancels;
	}
	if (cohorts->stage.length) {
		rg_buf_add(out, cohorts->stage.text, cohorts->stage.length);
		rg_buf_char(out, ' ');
	}
	if (cancels == count) {
		rg_buf_str(out, count > 1 ? "up to " : "");
		rg_story_say_spread(out, mean_abs);
		return;
	}
	rg_story_say_range(out, low, high);
	if (!cancels)
		return;
	rg_buf_str(out, " (step by step up to ");
	rg_story_add_figure(out, mean_abs * 100);
	rg_buf_str(out, " % off)");
}

static void say_metric(rg_buf *out, const rg_story *story, size_t first, size_t count)
{
	size_t named = 0, more = 0, at, n;

	rg_buf_printf(out, "%s: ", story->cohorts[first].metric);
	for (at = first; at < first + count; at += n) {
		n = moved_alike(story, at, same_stage);
		if (named == STAGES_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(out, named++ ? ", " : "");
		say_stage(out, story->cohorts + at, n);
		rg_story_say_errors(out, story->cohorts + at, n);
	}
	if (more)
		rg_buf_printf(out, ", %zu more stage%s", more, plural(more));
}

/* Jitter is neither faster nor slower: an interval that leaves zero out is. */
static rg_error *say_time(rg_buf *out, const rg_story *story)
{
	rg_metric_summaries metrics = {0};
	rg_error *err = rg_metric_summaries_make(&metrics, story->summary->comparison);
	size_t i;

	for (i = 0; !err && i < metrics.count; i++) {
		const rg_metric_summary *m = &metrics.items[i];

		if (strcmp(m->metric, "iteration-time") != 0 || m->max == 0)
			continue;
		rg_buf_printf(out, "%siteration-time: ", out->length ? "; " : "");
		if (isnan(m->low) || (m->low <= 0 && m->high >= 0)) {
			rg_buf_str(out, "no clear change");
			continue;
		}
		rg_buf_printf(out, "%s by ", m->low > 0 ? "faster" : "slower");
		rg_story_add_figure(out, fmin(fabs(m->low), fabs(m->high)) * 100);
		rg_buf_str(out, " to ");
		rg_story_add_figure(out, fmax(fabs(m->low), fabs(m->high)) * 100);
		rg_buf_printf(out, " %% (95 %% interval of the median of %zu goldens)", m->n);
	}
	rg_metric_summaries_release(&metrics);
	return err;
}

/* Opaque goldens, or what else is counted. */
static void say_counted(rg_buf *out, const rg_story *story, bool opaque)
{
	size_t rows = 0, changed = 0, i;

	for (i = 0; i < story->cohort_count; i++)
		if (story->cohorts[i].counted && !story->cohorts[i].of_models &&
		    opaque == !strcmp(story->cohorts[i].metric, RG_OPAQUE_METRIC)) {
			rows += story->cohorts[i].rows;
			changed += story->cohorts[i].rows_changed;
		}
	if (changed)
		rg_buf_printf(out, "%s%zu of %zu %s", out->length ? "; " : "", changed, rows,
			      !opaque     ? "texts, token lists and ids differ"
			      : rows == 1 ? "opaque golden differs"
					  : "opaque goldens differ");
}

static rg_error *say_changed(rg_buf *out, const rg_story *story)
{
	size_t named = 0, more = 0, at, n;

	for (at = 0; at < story->cohort_count && moved(&story->cohorts[at]); at += n) {
		n = moved_alike(story, at, same_metric);
		if (!strcmp(story->cohorts[at].metric, "iteration-time"))
			continue;
		if (named == METRICS_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(out, named++ ? "; " : "");
		say_metric(out, story, at, n);
	}
	if (more)
		rg_buf_printf(out, "; %zu more metric%s", more, plural(more));
	rg_story_say_models(out, &story->models);
	say_counted(out, story, false);
	say_counted(out, story, true);
	RG_TRY(say_time(out, story));
	rg_test_counts_say(out, &story->summary->tests);
	if (out->length || !story->row_count)
		return NULL;
	if (story->unchanged == story->summary->comparison->row_count)
		rg_buf_str(out, "no value differs");
	else
		rg_buf_str(out, "no metric moved by its level or more");
	return NULL;
}

/* --- what stands out --- */

static void say_row(rg_buf *out, const rg_story *story, const rg_story_row *r)
{
	rg_test_name_add(out, r->row->file, story->summary->context);
	rg_buf_printf(out, " %s", r->metric);
}

static void say_apart(rg_buf *out, const rg_story *story)
{
	size_t i;

	for (i = 0; i < story->apart_count && i < ROWS_NAMED; i++) {
		const rg_story_row *r = &story->rows[i];
		const rg_cohort *c = &story->cohorts[r->cohort];

		rg_buf_str(out, i ? "; " : "");
		say_row(out, story, r);
		rg_buf_str(out, ": ");
		rg_story_say_shift(out, r->row->avg_rel_diff);
		rg_buf_str(out, " (its cohort: ");
		rg_story_say_shift(out, c->median);
		rg_buf_char(out, ')');
	}
	if (i < story->apart_count)
		rg_buf_printf(out, "; %zu more", story->apart_count - i);
}

/* --- what was measured --- */

/* Whether so many rows are outside says anything. */
static void say_run_verdict(rg_buf *out, const rg_run_verdict *run)
{
	char percent[RG_PERCENT_SIZE];

	if (!run->rows)
		return;
	rg_buf_printf(out,
		      "; of %zu row%s the %zu runs themselves have %zu to %zu outside (%.3g "
		      "expected), this one %zu: ",
		      run->rows, plural(run->rows), run->runs, run->least, run->most, run->expected,
		      run->outside);
	if (!run->is_another) {
		rg_buf_str(out, "nothing says that it is another");
		return;
	}
	rg_percent_at_most(percent, run->p);
	rg_buf_printf(out, "it is another, by chance in at most %s %% of cases", percent);
}

static void say_measured(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t counts[RG_VERDICTS] = {0}, i, measured;

	for (i = 0; i < c->row_count; i++)
		counts[c->rows[i].verdict.kind]++;
	if (counts[RG_VERDICT_NONE] == c->row_count) {
		rg_buf_str(out, "noise was not measured: levels are configured "
				"(regild audit measures it)");
		return;
	}
	measured = counts[RG_VERDICT_WITHIN] + counts[RG_VERDICT_OUTSIDE];
	rg_buf_printf(out,
		      "measured noise: %zu of %zu row%s inside the range of earlier runs, "
		      "%zu outside",
		      counts[RG_VERDICT_WITHIN], measured, plural(measured),
		      counts[RG_VERDICT_OUTSIDE]);
	say_run_verdict(out, &c->run);
	if (counts[RG_VERDICT_INCONCLUSIVE])
		rg_buf_printf(out, "; %zu inconclusive", counts[RG_VERDICT_INCONCLUSIVE]);
	if (counts[RG_VERDICT_UNMEASURED])
		rg_buf_printf(out, "; %zu unmeasured", counts[RG_VERDICT_UNMEASURED]);
}

/* --- what to do next --- */

/* A slip in a pattern is no reason to be calm. */
static bool filter_keeps_nothing(const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;

	return story->summary->filtered && c->compared && !c->row_count && !c->gap_count;
}

static void say_next(rg_buf *out, const rg_story *story)
{
	const rg_refresh *refresh = story->summary->refresh;
	size_t look = story->apart_count + story->looked_at_count, before;
	bool lost = story->shape_count && story->shapes[0].kind < RG_SHAPE_METRIC_NEW;
	size_t rows = story->summary->comparison->row_count;

	rg_buf_str(out, "next: ");
	before = out->length;
	if (refresh && refresh->counts[RG_REFRESH_MISSING])
		rg_buf_str(out, "re-run the jobs whose goldens are missing; ");
	if (refresh && refresh->counts[RG_REFRESH_HELD])
		rg_buf_str(out, "decide on the goldens held back (--allow); ");
	if (story->summary->comparison->unreadable)
		rg_buf_str(out, "mend the unreadable goldens; ");
	if (story->summary->comparison->removed)
		rg_buf_str(out, "check that the removed goldens are meant to go; ");
	if (story->summary->tests.newly_failing)
		rg_buf_str(out, "look first at the tests that newly fail");
	else if (story->apart_count)
		rg_buf_printf(out, "look first at what stands out (%zu row%s)", story->apart_count,
			      plural(story->apart_count));
	else if (lost)
		rg_buf_str(out, "find out why values went missing or changed their kind");
	else if (look)
		rg_buf_printf(out, "decide whether the %s of %zu row%s is intended",
			      story->models.row_count == rows ? "change" : "shift", look,
			      plural(look));
	else if (out->length > before)
		rg_buf_truncate(out, out->length - 2); /* the last "; " */
	else if (filter_keeps_nothing(story))
		rg_buf_str(out, "--filter keeps no metric; check its pattern");
	else
		rg_buf_str(out, refresh ? "nothing needs a look; commit" : "nothing needs a look");
}

/* --- all --- */

static rg_error *keep(rg_story *story, rg_buf *text, rg_line_kind kind)
{
	RG_TRY(rg_buf_check(text, "the bottom line"));
	return text->length ? rg_story_keep(story, text, &story->lines[kind]) : NULL;
}

rg_error *rg_story_add_lines(rg_story *story)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, SIZE_MAX / 4); /* names may be long; writers cut them */
	say_done(&text, story);
	err = keep(story, &text, RG_LINE_DONE);
	if (!err) {
		say_shapes(&text, story);
		err = keep(story, &text, RG_LINE_SHAPE);
	}
	if (!err)
		err = say_changed(&text, story);
	if (!err)
		err = keep(story, &text, RG_LINE_CHANGED);
	if (!err) {
		rg_story_say_checks(&text, story);
		rg_story_say_over(&text, story->summary->comparison);
		err = keep(story, &text, RG_LINE_CHECKS);
	}
	if (!err) {
		say_apart(&text, story);
		err = keep(story, &text, RG_LINE_APART);
	}
	if (!err && story->row_count) {
		say_measured(&text, story);
		err = keep(story, &text, RG_LINE_MEASURED);
	}
	if (!err && story->summary->new_runs) {
		rg_new_runs_say(&text, story->summary->new_runs);
		err = keep(story, &text, RG_LINE_RUNS);
	}
	if (!err) {
		say_next(&text, story);
		err = keep(story, &text, RG_LINE_NEXT);
	}
	rg_buf_release(&text);
	return err;
}
