/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/statistics.h"
#include "base/memory.h"
#include "compare/checks_apply.h"
#include "compare/row.h"
#include "report/columns.h"
#include "report/new_runs.h"
#include "report/story_parts.h"
#include "report/test_name.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many of each a line names before it counts the others; COMMIT_SHOWN: letters of a commit. */
enum {
	REASONS_NAMED = 2,
	ROWS_NAMED = 3,
	METRICS_NAMED = 3,
	GOLDENS_NAMED = 3,
	FROM_ZERO_NAMED = 6,
	COMMIT_SHOWN = 7
};

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* --- what checks say --- */

/* A metric by which a check fails, in so many goldens. */
typedef struct {
	const char *metric;
	size_t goldens;
} failure;

static int compare_metrics(const void *a, const void *b)
{
	return strcmp(((const failure *)a)->metric, ((const failure *)b)->metric);
}

static int compare_failures(const void *a, const void *b)
{
	const failure *x = a, *y = b;
	if (x->goldens != y->goldens)
		return x->goldens > y->goldens ? -1 : 1;
	return strcmp(x->metric, y->metric);
}

/* The metrics of all rows and gaps that fail, the most frequent first. Returns how many. A golden
 * has a metric once. */
static size_t list_failures(failure *out, const rg_comparison *c, size_t check)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < c->row_count + c->gap_count; i++) {
		const rg_row *row = i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
		if (row->check_fails >> check & 1)
			out[count++] = (failure){.metric = row->metric, .goldens = 1};
	}
	qsort(out, count, sizeof(*out), compare_metrics);
	for (size_t i = 0; i < count; i++)
		if (kept && !strcmp(out[kept - 1].metric, out[i].metric))
			out[kept - 1].goldens++;
		else
			out[kept++] = out[i];
	qsort(out, kept, sizeof(*out), compare_failures);
	return kept;
}

/* "approximate passes in 59 of 59", "119 of 126 fail approximate: num-zeros 98, lm loss 81" */
static void say_check(rg_buf *out, const rg_comparison *c, size_t check,
		      const rg_checks_count *count)
{
	const char *name = c->checks->items[check].name;
	failure *failures;
	size_t i;

	rg_buf_str(out, out->length ? "; " : "");
	if (!count->fails) {
		rg_buf_printf(out, "%s passes in %zu of %zu", name, count->applied, count->applied);
		return;
	}
	failures = rg_malloc((c->row_count + c->gap_count + 1) * sizeof(*failures));
	size_t n = list_failures(failures, c, check);
	rg_buf_printf(out, "%zu of %zu fail%s %s", count->fails, count->applied,
		      count->applied == 1 ? "s" : "", name);
	for (i = 0; i < n && i < METRICS_NAMED; i++)
		rg_buf_printf(out, "%s%s %zu", i ? ", " : ": ", failures[i].metric,
			      failures[i].goldens);
	if (i < n)
		rg_buf_printf(out, ", %zu more metric%s", n - i, plural(n - i));
	free(failures);
}

/* The check with a tolerance that fails in most goldens; NULL: none does. */
static const char *failing_check(const rg_comparison *c)
{
	const char *worst = NULL;
	size_t most = 0;
	for (size_t i = 0; c->checks && i < c->checks->count; i++) {
		const size_t fails = rg_checks_count_goldens(c, i).fails;
		if (c->checks->items[i].exact || fails <= most)
			continue;
		most = fails;
		worst = c->checks->items[i].name;
	}
	return worst;
}

static void say_checks(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	bool exact_fails = false;
	size_t unchecked = 0;

	for (size_t pass = 0; c->checks && pass < 2; pass++)
		for (size_t i = 0; i < c->checks->count; i++) {
			const bool exact = c->checks->items[i].exact;
			const rg_checks_count count = rg_checks_count_goldens(c, i);
			if (exact != (pass == 1))
				continue;
			unchecked = count.unchecked > unchecked ? count.unchecked : unchecked;
			if (count.applied)
				say_check(out, c, i, &count);
			exact_fails |= exact && count.applied && count.fails;
		}
	/* What a check with a tolerance refuses may be the danger, not the reason. */
	if (exact_fails && !story->failing_check && story->summary->refresh)
		rg_buf_str(out, "; these are why the refresh is needed");
	if (unchecked)
		rg_buf_printf(out, "%s%zu golden%s could not be checked", out->length ? "; " : "",
			      unchecked, plural(unchecked));
	rg_story_say_over(out, c);
}

/* --- noise or changed --- */

/* Does the row show how the run is another, or the golden? */
static bool shows(const rg_row *row, bool golden)
{
	const rg_verdict *v = &row->verdict;
	return golden ? v->of_golden : v->stands_out;
}

/* The rows, then the gaps. */
static const rg_row *row_at(const rg_comparison *c, size_t i)
{
	return i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
}

/* "lm loss of 4 goldens (p 0.04): gpt/a, gpt/b, moe/c and 1 more"; `shown` may be empty. */
static void say_metric(rg_buf *out, const rg_comparison *c, const char *metric, bool golden,
		       const char *shown, const rg_story *story)
{
	size_t goldens = 0, named = 0, all = c->row_count + c->gap_count;
	for (size_t i = 0; i < all; i++)
		goldens += shows(row_at(c, i), golden) && !strcmp(row_at(c, i)->metric, metric);
	rg_buf_printf(out, "%s of %zu golden%s%s: ", metric, goldens, plural(goldens), shown);
	for (size_t i = 0; i < all && named < GOLDENS_NAMED; i++) {
		const rg_row *row = row_at(c, i);
		if (!shows(row, golden) || strcmp(row->metric, metric) != 0)
			continue;
		rg_buf_str(out, named++ ? ", " : "");
		rg_story_name_add(out, story, row->file);
	}
	if (goldens > named)
		rg_buf_printf(out, " and %zu more", goldens - named);
}

/* How many different ones there are of texts, which are sorted. */
static size_t count_different(const char **texts, size_t count)
{
	size_t different = 0;
	if (count)
		qsort(texts, count, sizeof(*texts), rg_compare_texts);
	for (size_t i = 0; i < count; i++)
		different += !i || strcmp(texts[i - 1], texts[i]) != 0;
	return different;
}

static bool is_among(const char *const *texts, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(texts[i], text))
			return true;
	return false;
}

static void say_rows(rg_buf *out, const rg_comparison *c, bool golden, const char *shown,
		     const rg_story *story)
{
	const char *named[METRICS_NAMED];
	size_t all = c->row_count + c->gap_count, named_count = 0, count = 0;
	const char **metrics = rg_malloc(all * sizeof(*metrics));

	for (size_t i = 0; i < all; i++) {
		const char *metric = row_at(c, i)->metric;
		if (!shows(row_at(c, i), golden))
			continue;
		metrics[count++] = metric;
		if (named_count == METRICS_NAMED || is_among(named, named_count, metric))
			continue;
		rg_buf_str(out, named_count ? "; " : "");
		say_metric(out, c, metric, golden, named_count ? "" : shown, story);
		named[named_count++] = metric;
	}
	size_t more = count_different(metrics, count) - named_count;
	if (more)
		rg_buf_printf(out, "; and %zu more metric%s", more, plural(more));
	free(metrics);
}

static void say_runs(rg_buf *out, const rg_run_test *test)
{
	if (test->runs_least < test->runs)
		rg_buf_printf(out, "the %zu to %zu runs are", test->runs_least, test->runs);
	else if (test->runs == 1)
		rg_buf_str(out, "the 1 run is");
	else
		rg_buf_printf(out, "the %zu runs are", test->runs);
}

/* What shows it, with p. */
static void say_shown(rg_buf *out, const rg_comparison *c, const rg_run_test *test, bool golden,
		      const rg_story *story)
{
	rg_buf shown;
	rg_buf_init(&shown, RG_BUF_TEXT);
	rg_buf_printf(&shown, "%s%sp %.2g)",
		      test->by == RG_SHOWN_BY_METRIC  ? " together"
		      : test->by == RG_SHOWN_BY_COUNT ? " and others in number"
						      : "",
		      test->by == RG_SHOWN_BY_ROWS ? " (corrected " : " (", test->p);
	say_rows(out, c, golden, shown.data, story);
	rg_buf_inherit(out, &shown);
	rg_buf_release(&shown);
}

static void say_golden(rg_buf *out, const rg_comparison *c, const rg_story *story)
{
	const rg_run_test *fresh = &c->run.fresh, *golden = &c->run.golden;
	if (golden->answer == RG_ANSWER_NOISE && fresh->answer == RG_ANSWER_NOISE)
		rg_buf_printf(out, "; so is the golden (p %.2g)", golden->p);
	else if (golden->answer == RG_ANSWER_NOISE)
		rg_buf_printf(out, "; the golden is as they are (p %.2g)", golden->p);
	if (golden->answer != RG_ANSWER_CHANGED)
		return;
	rg_buf_str(out, fresh->answer == RG_ANSWER_NOISE ? "; the golden was the odd one: "
							 : "; nor is the golden as they are: ");
	say_shown(out, c, golden, true, story);
}

static void say_open(rg_buf *out, const rg_comparison *c, const rg_story *story)
{
	const rg_run_test *test = &c->run.fresh;
	size_t goldens = 0, last = SIZE_MAX, outside = 0;
	for (size_t i = 0; i < c->row_count; i++) {
		const rg_row *row = &c->rows[i];
		goldens += row->verdict.scores && row->file_index != last;
		last = row->verdict.scores ? row->file_index : last;
		outside += row->verdict.stands_out;
	}
	rg_buf_str(out, "cannot be told: ");
	if (!test->too_few)
		rg_buf_str(out, "no row was measured by runs that do not drift");
	else
		rg_buf_printf(out, "%zu more run%s of %s %zu golden%s would", test->missing,
			      plural(test->missing), goldens == 1 ? "this" : "these", goldens,
			      plural(goldens));
	if (!outside)
		return;
	rg_buf_str(out, "; outside anyway: ");
	say_rows(out, c, false, "", story);
}

/* Whether the run is noise or changed, and the golden: "noise: as the 24 runs are (p 0.4); so is
 * the golden (p 0.6)". Nothing where no noise model was given. */
static void say_answer(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_run_test *test = &c->run.fresh;
	switch (test->answer) {
	case RG_ANSWER_NONE:
		return;
	case RG_ANSWER_OPEN:
		say_open(out, c, story);
		return;
	case RG_ANSWER_NOISE:
		rg_buf_str(out, "noise: as ");
		say_runs(out, test);
		rg_buf_printf(out, " (p %.2g)", test->p);
		break;
	default:
		rg_buf_str(out, "changed: ");
		say_shown(out, c, test, false, story);
		break;
	}
	say_golden(out, c, story);
	if (test->too_few)
		rg_buf_printf(out, "; %zu more row%s too few runs to tell", test->too_few,
			      test->too_few == 1 ? " has" : "s have");
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

/* Rows that need a look for it, the farthest first. Returns how many. */
static size_t find_from_zero(const rg_row **out, const rg_comparison *c)
{
	size_t count = 0;
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].from_zero.needs_look)
			out[count++] = &c->rows[i];
	qsort(out, count, sizeof(*out), compare_from_zero);
	return count;
}

/* "from zero: drc_errors 0 to 812 (2 records, gcd), failures 0 to 7 (gcd)" */
static void say_from_zero(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_row **rows = rg_malloc((c->row_count + 1) * sizeof(const rg_row *));
	size_t count = find_from_zero(rows, c), i;

	for (i = 0; i < count && i < FROM_ZERO_NAMED; i++) {
		const rg_row *row = rows[i];
		rg_buf_printf(out, "%s%s %.3g to ", i ? ", " : "from zero: ", row->metric,
			      row->from_zero.old);
		rg_story_add_figure(out, row->from_zero.largest);
		rg_buf_str(out, " (");
		if (row->from_zero.count > 1)
			rg_buf_printf(out, "%zu %s, ", row->from_zero.count,
				      row->by_record ? "records" : "steps");
		rg_story_name_add(out, story, row->file);
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
		rg_story_name_add(out, story, r->row->file);
		rg_buf_printf(out, " %s: ", r->metric);
		rg_story_say_apart(out, r);
	}
	if (named < story->apart_count)
		rg_buf_printf(out, "; %zu more", story->apart_count - named);
}

/* --- goldens whose rows do not say all of it --- */

static bool is_formatted(const rg_file_outcome *file)
{
	return file->layout == RG_LAYOUT_FORMATTING && !file->unread;
}

static bool is_unshown(const rg_file_outcome *file)
{
	return file->layout == RG_LAYOUT_UNSHOWN && !file->unread;
}

static bool is_partly_read(const rg_file_outcome *file)
{
	return file->unread;
}

static bool is_of_variant(const rg_file_outcome *file)
{
	return file->variant;
}

/* With the variant of each. */
static void name_goldens(rg_buf *out, const rg_story *story, const char *head,
			 bool is(const rg_file_outcome *))
{
	const rg_comparison *c = story->summary->comparison;
	size_t count = 0;
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_file_outcome *file = &c->files[i];
		const char *variant = is == is_of_variant ? file->variant : NULL;
		if (!is(file) || count++ >= ROWS_NAMED)
			continue;
		rg_buf_str(out, count == 1 ? head : ", ");
		rg_story_name_add(out, story, file->file);
		if (variant)
			rg_buf_printf(out, " (%s)", variant);
	}
	if (count > ROWS_NAMED)
		rg_buf_printf(out, " and %zu more golden%s", count - ROWS_NAMED,
			      plural(count - ROWS_NAMED));
}

static void say_layout(rg_buf *out, const rg_story *story)
{
	name_goldens(out, story, "same values, different formatting: ", is_formatted);
}

/* The numbers that no metric has differ, whatever else does. */
static void say_unshown(rg_buf *out, const rg_story *story)
{
	name_goldens(out, story, "same values, other differences that no row shows: ", is_unshown);
	if (!out->length)
		name_goldens(out, story, "partly read: ", is_partly_read);
	else
		name_goldens(out, story, "; partly read: ", is_partly_read);
}

static void say_variants(rg_buf *out, const rg_story *story)
{
	name_goldens(out, story, "held against the nearest accepted variant: ", is_of_variant);
}

/* --- what was measured --- */

static void say_measured(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t counts[RG_VERDICTS] = {0};
	if (!story->row_count)
		return;
	for (size_t i = 0; i < c->row_count + c->gap_count; i++)
		counts[row_at(c, i)->verdict.kind]++;
	if (counts[RG_VERDICT_NONE] == c->row_count + c->gap_count) {
		rg_buf_str(out, "noise was not measured: levels are configured "
				"(regild audit measures it)");
		return;
	}
	size_t measured = counts[RG_VERDICT_WITHIN] + counts[RG_VERDICT_OUTSIDE];
	rg_buf_printf(out,
		      "measured noise: %zu of %zu row%s within the noise of earlier runs, "
		      "%zu outside",
		      counts[RG_VERDICT_WITHIN], measured, plural(measured),
		      counts[RG_VERDICT_OUTSIDE]);
	if (counts[RG_VERDICT_INCONCLUSIVE])
		rg_buf_printf(out, "; %zu inconclusive", counts[RG_VERDICT_INCONCLUSIVE]);
	if (counts[RG_VERDICT_UNMEASURED])
		rg_buf_printf(out, "; %zu unmeasured", counts[RG_VERDICT_UNMEASURED]);
}

static void say_new_runs(rg_buf *out, const rg_story *story)
{
	if (story->summary->new_runs)
		rg_new_runs_say(out, story->summary->new_runs);
}

/* --- all --- */

void rg_story_add_lines(rg_story *story)
{
	static const struct {
		rg_line_kind kind;
		void (*say)(rg_buf *out, const rg_story *story);
	} lines[] = {{RG_LINE_ANSWER, say_answer},
		     {RG_LINE_DONE, say_done},
		     {RG_LINE_LOSSES, rg_story_say_losses},
		     {RG_LINE_SHAPE, say_shapes},
		     {RG_LINE_FROM_ZERO, say_from_zero},
		     {RG_LINE_APART, say_apart},
		     {RG_LINE_CHANGED, rg_story_say_changed},
		     {RG_LINE_LAYOUT, say_layout},
		     {RG_LINE_UNSHOWN, say_unshown},
		     {RG_LINE_VARIANTS, say_variants},
		     {RG_LINE_CHECKS, say_checks},
		     {RG_LINE_MEASURED, say_measured},
		     {RG_LINE_RUNS, say_new_runs},
		     {RG_LINE_NEXT, rg_story_say_next}};
	rg_buf text;

	story->failing_check = failing_check(story->summary->comparison);
	rg_buf_init(&text, RG_BUF_ANY); /* names may be long; writers cut them */
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		lines[i].say(&text, story);
		if (text.length)
			story->lines[lines[i].kind] = rg_story_keep(story, &text);
	}
	rg_buf_release(&text);
}
