/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/statistics.h"
#include "report/answer.h"
#include "report/new_runs.h"
#include "report/run_page.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many reasons and rows a line names before it counts the others. */
enum { REASONS_NAMED = 2, ROWS_NAMED = 3, FROM_ZERO_NAMED = 6, COMMIT_SHOWN = 7 };

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* --- what was done --- */

/* How many of the outcome's items have this reason. */
static size_t count_reason(const rg_refresh *refresh, rg_refresh_outcome outcome, const char *why)
{
	size_t n = 0;
	for (size_t i = 0; i < refresh->count; i++)
		n += refresh->items[i].outcome == outcome && refresh->items[i].why &&
		     !strcmp(refresh->items[i].why, why);
	return n;
}

/* "; 3 held back: not finite (2), uncommitted edit (1)" */
static void say_outcome(rg_buf *out, const rg_refresh *refresh, rg_refresh_outcome outcome)
{
	const char *named[REASONS_NAMED] = {0};
	size_t count = 0, told = 0, n = refresh->counts[outcome];

	if (!n)
		return;
	rg_buf_printf(out, "; %zu %s", n, rg_refresh_names[outcome]);
	for (size_t i = 0; i < refresh->count && count < REASONS_NAMED; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		if (item->outcome != outcome || !item->why ||
		    (count && !strcmp(named[0], item->why)))
			continue;
		size_t alike = count_reason(refresh, outcome, item->why);
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
	rg_buf_str(out, " from ");
	if (run->job)
		rg_buf_printf(out, "job %s of ", run->job);
	rg_buf_printf(out, "%s %s", page.gitlab ? "pipeline" : "run", run->id);
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
	size_t put = counts[RG_REFRESH_UPDATED] + counts[RG_REFRESH_NEW], all = 0;

	/* What is gone is not the run's. */
	for (size_t i = 0; i < RG_REFRESH_GONE; i++)
		all += counts[i];
	if (refresh->empty_why && !all)
		rg_buf_str(out, "no golden");
	else
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
	if (refresh->empty_why && !all)
		rg_buf_printf(out, "; %s", refresh->empty_why);
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

/* --- what changed in shape --- */

static void say_shapes(rg_buf *out, const rg_story *story)
{
	size_t i;
	for (i = 0; i < story->shape_count && i < RG_STORY_SHAPES_NAMED; i++)
		rg_buf_printf(out, "%s%s", i ? ". " : "", story->shapes[i].text);
	if (i < story->shape_count)
		rg_buf_printf(out, ". %zu more change%s in shape", story->shape_count - i,
			      plural(story->shape_count - i));
}

/* --- what was zero --- */

static int compare_from_zero(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	double left = fabs(x->from_zero.largest), right = fabs(y->from_zero.largest);

	if (left != right)
		return left > right ? -1 : 1;
	int order = (x->file_index > y->file_index) - (x->file_index < y->file_index);
	return order ? order : strcmp(x->metric, y->metric);
}

/* Rows and gaps that need a look for it, the farthest first. Returns how many. */
static size_t find_from_zero(const rg_row **out, const rg_comparison *c)
{
	size_t count = 0;
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].from_zero.needs_look)
			out[count++] = &c->rows[i];
	for (size_t i = 0; i < c->gap_count; i++)
		if (c->gaps[i].from_zero.needs_look)
			out[count++] = &c->gaps[i];
	qsort(out, count, sizeof(*out), compare_from_zero);
	return count;
}

/* "from zero: drc_errors 0 to 812 (2 records, gcd), failures 0 to 7 (gcd)" */
static void say_from_zero(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_row **rows = rg_malloc((c->row_count + c->gap_count + 1) * sizeof(const rg_row *));
	size_t count = find_from_zero(rows, c), i;

	for (i = 0; i < count && i < FROM_ZERO_NAMED; i++) {
		const rg_row *row = rows[i];
		rg_buf_printf(out, "%s%s 0 to ", i ? ", " : "from zero: ", row->metric);
		rg_story_add_figure(out, row->from_zero.largest);
		rg_buf_str(out, " (");
		if (row->from_zero.count > 1)
			rg_buf_printf(out, "%zu %s, ", row->from_zero.count,
				      row->by_record ? "records" : "steps");
		rg_test_name_add(out, row->file, story->summary->context);
		rg_buf_char(out, ')');
	}
	if (i < count)
		rg_buf_printf(out, "; %zu more", count - i);
	free(rows);
}

/* --- what stands out --- */

static void say_apart(rg_buf *out, const rg_story *story)
{
	size_t named = 0;
	for (size_t i = 0; i < story->row_count && named < ROWS_NAMED; i++) {
		const rg_story_row *r = &story->rows[i];
		if (!r->apart)
			continue;
		rg_buf_str(out, named++ ? "; " : "apart: ");
		rg_test_name_add(out, r->row->file, story->summary->context);
		rg_buf_printf(out, " %s: ", r->metric);
		rg_story_say_apart(out, r);
	}
	if (named < story->apart_count)
		rg_buf_printf(out, "; %zu more", story->apart_count - named);
}

/* --- layout --- */

static void say_layout(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t count = 0;
	for (size_t i = 0; i < c->file_count; i++) {
		if (!c->files[i].layout || count++ >= ROWS_NAMED)
			continue;
		rg_buf_str(out, count == 1 ? "only the layout of the file differs, or what is no "
					     "value in it: "
					   : ", ");
		rg_test_name_add(out, c->files[i].file, story->summary->context);
	}
	if (count > ROWS_NAMED)
		rg_buf_printf(out, " and %zu more golden%s", count - ROWS_NAMED,
			      plural(count - ROWS_NAMED));
}

/* --- what was measured --- */

static void say_measured(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t counts[RG_VERDICTS] = {0};

	for (size_t i = 0; i < c->row_count; i++)
		counts[c->rows[i].verdict.kind]++;
	if (counts[RG_VERDICT_NONE] == c->row_count) {
		rg_buf_str(out, "noise was not measured: levels are configured "
				"(regild audit measures it)");
		return;
	}
	size_t measured = counts[RG_VERDICT_WITHIN] + counts[RG_VERDICT_OUTSIDE];
	rg_buf_printf(out,
		      "measured noise: %zu of %zu row%s inside the range of earlier runs, "
		      "%zu outside",
		      counts[RG_VERDICT_WITHIN], measured, plural(measured),
		      counts[RG_VERDICT_OUTSIDE]);
	if (counts[RG_VERDICT_INCONCLUSIVE])
		rg_buf_printf(out, "; %zu inconclusive", counts[RG_VERDICT_INCONCLUSIVE]);
	if (counts[RG_VERDICT_UNMEASURED])
		rg_buf_printf(out, "; %zu unmeasured", counts[RG_VERDICT_UNMEASURED]);
}

/* --- all --- */

static rg_error *keep(rg_story *story, rg_buf *text, rg_line_kind kind)
{
	RG_TRY(rg_buf_check(text, "the bottom line"));
	return text->length ? rg_story_keep(story, text, &story->lines[kind]) : NULL;
}

rg_error *rg_story_add_lines(rg_story *story)
{
	const char *check = NULL;
	rg_buf text;

	rg_buf_init(&text, SIZE_MAX / 4); /* names may be long; writers cut them */
	rg_answer_say(&text, story->summary->comparison, story->summary->context);
	rg_error *err = keep(story, &text, RG_LINE_ANSWER);
	if (!err) {
		say_done(&text, story);
		err = keep(story, &text, RG_LINE_DONE);
	}
	if (!err)
		rg_story_say_losses(&text, story);
	if (!err)
		err = keep(story, &text, RG_LINE_LOSSES);
	if (!err) {
		say_shapes(&text, story);
		err = keep(story, &text, RG_LINE_SHAPE);
	}
	if (!err) {
		say_from_zero(&text, story);
		err = keep(story, &text, RG_LINE_FROM_ZERO);
	}
	if (!err) {
		say_apart(&text, story);
		err = keep(story, &text, RG_LINE_APART);
	}
	if (!err)
		rg_story_say_changed(&text, story);
	if (!err)
		err = keep(story, &text, RG_LINE_CHANGED);
	if (!err) {
		say_layout(&text, story);
		err = keep(story, &text, RG_LINE_LAYOUT);
	}
	if (!err)
		rg_story_say_checks(&text, story, &check);
	if (!err) {
		rg_story_say_over(&text, story->summary->comparison);
		err = keep(story, &text, RG_LINE_CHECKS);
	}
	if (!err && story->row_count) {
		say_measured(&text, story);
		err = keep(story, &text, RG_LINE_MEASURED);
	}
	if (!err && story->summary->new_runs) {
		rg_new_runs_say(&text, story->summary->new_runs);
		err = keep(story, &text, RG_LINE_RUNS);
	}
	if (!err)
		rg_story_say_next(&text, story, check);
	if (!err)
		err = keep(story, &text, RG_LINE_NEXT);
	rg_buf_release(&text);
	return err;
}
