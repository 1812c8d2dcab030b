/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answer.h"

#include "base/memory.h"
#include "report/test_name.h"

#include <stdlib.h>
#include <string.h>

/* As many are named before the others are counted. */
enum { METRICS_NAMED = 3, GOLDENS_NAMED = 3 };

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

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
		       const char *shown, const rg_column_context *context)
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
		rg_test_name_add(out, row->file, context);
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
		     const rg_column_context *context)
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
		say_metric(out, c, metric, golden, named_count ? "" : shown, context);
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
		      const rg_column_context *context)
{
	rg_buf shown;
	rg_buf_init(&shown, RG_BUF_TEXT);
	rg_buf_printf(&shown, "%s%sp %.2g)",
		      test->by == RG_SHOWN_BY_METRIC  ? " together"
		      : test->by == RG_SHOWN_BY_COUNT ? " and others in number"
						      : "",
		      test->by == RG_SHOWN_BY_ROWS ? " (corrected " : " (", test->p);
	say_rows(out, c, golden, shown.data, context);
	rg_buf_inherit(out, &shown);
	rg_buf_release(&shown);
}

static void say_golden(rg_buf *out, const rg_comparison *c, const rg_column_context *context)
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
	say_shown(out, c, golden, true, context);
}

static void say_open(rg_buf *out, const rg_comparison *c, const rg_column_context *context)
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
	say_rows(out, c, false, "", context);
}

void rg_answer_say(rg_buf *out, const rg_comparison *c, const rg_column_context *context)
{
	const rg_run_test *test = &c->run.fresh;
	switch (test->answer) {
	case RG_ANSWER_NONE:
		return;
	case RG_ANSWER_OPEN:
		say_open(out, c, context);
		return;
	case RG_ANSWER_NOISE:
		rg_buf_str(out, "noise: as ");
		say_runs(out, test);
		rg_buf_printf(out, " (p %.2g)", test->p);
		break;
	default:
		rg_buf_str(out, "changed: ");
		say_shown(out, c, test, false, context);
		break;
	}
	say_golden(out, c, context);
	if (test->too_few)
		rg_buf_printf(out, "; %zu more row%s too few runs to tell", test->too_few,
			      test->too_few == 1 ? " has" : "s have");
}
