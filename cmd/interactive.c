/* SPDX-License-Identifier: Apache-2.0 */
#include "interactive.h"

#include "base/number.h"
#include "report/curve.h"
#include "terminal.h"
#include "report/sparkline.h"
#include "update/safe_tree.h"
#include "update.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 3, CURVE_WIDTH = 60 };

typedef struct {
	rg_plan_item *item;
	double test_worst;  /* of all items of its test */
	const char *metric; /* of its worst row; NULL: none */
	bool decided;
} question;

typedef struct {
	rg_plan *plan;
	question *questions; /* worst test first, worst golden first in it */
	size_t count;
} review;

static int by_test(const void *a, const void *b)
{
	const question *left = a, *right = b;

	return strcmp(left->item->test, right->item->test);
}

static int worst_first(const void *a, const void *b)
{
	const question *left = a, *right = b;
	int order;

	if (left->test_worst != right->test_worst)
		return left->test_worst > right->test_worst ? -1 : 1;
	order = by_test(a, b);
	if (order)
		return order;
	if (left->item->worst != right->item->worst)
		return left->item->worst > right->item->worst ? -1 : 1;
	return left->item < right->item ? -1 : left->item > right->item;
}

/* Every golden of a test gets the test's worst figure, so that tests stay together. */
static void rank_tests(review *r)
{
	size_t first, last, i;

	qsort(r->questions, r->count, sizeof(*r->questions), by_test);
	for (first = 0; first < r->count; first = last) {
		double worst = 0;

		for (last = first;
		     last < r->count && !by_test(&r->questions[first], &r->questions[last]); last++)
			worst = fmax(worst, r->questions[last].item->worst);
		for (i = first; i < last; i++)
			r->questions[i].test_worst = worst;
	}
	qsort(r->questions, r->count, sizeof(*r->questions), worst_first);
}

static rg_error *collect(review *r)
{
	size_t i;

	r->questions = calloc(r->plan->count + 1, sizeof(*r->questions));
	if (!r->questions)
		return rg_error_nomem();
	for (i = 0; i < r->plan->count; i++) {
		rg_plan_item *item = &r->plan->items[i];
		const rg_row **rows;
		size_t count;

		if (!rg_plan_item_is_taken(item))
			continue;
		RG_TRY(update_worst_rows(r->plan, item, &rows, &count));
		r->questions[r->count++] = (question){
			.item = item,
			.metric = count ? rows[0]->metric : NULL,
		};
		free(rows);
	}
	if (r->count)
		rank_tests(r);
	return NULL;
}

static void decide(question *q, bool take)
{
	q->decided = true;
	q->item->left_out = !take;
}

/* Takes what is undecided and of one kind with `q`: its test, its worst metric, or everything. */
static void take_all(review *r, const question *q, char which)
{
	size_t i, taken = 0;

	for (i = 0; i < r->count; i++) {
		question *other = &r->questions[i];
		bool fits = which == 'a' || (which == 't' && !by_test(q, other)) ||
			    (which == 'm' && other->metric && !strcmp(q->metric, other->metric));

		if (!other->decided && fits) {
			decide(other, true);
			taken++;
		}
	}
	fprintf(stderr, "%zu taken\n", taken);
}

static bool terminal_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strstr(value, "UTF-8") || strstr(value, "utf8");
	}
	return false;
}

static rg_error *draw(const char *label, const double *values, size_t count,
		      const rg_sparkline_scale *scale)
{
	rg_error *err;
	rg_buf line;

	rg_buf_init(&line, RG_BUF_TEXT);
	rg_sparkline(&line, values, count, scale);
	err = rg_buf_check(&line, "curve");
	if (!err)
		fprintf(stderr, "  %s  %s\n", label, line.data);
	rg_buf_release(&line);
	return err;
}

/* Reads all values of a series; *out is the caller's to free. */
static rg_error *series_values(const rg_metric *metric, double **out)
{
	rg_error *err;

	*out = calloc(metric->count + 1, sizeof(**out));
	if (!*out)
		return rg_error_nomem();
	err = rg_metric_read(metric, 0, metric->count, *out);
	if (err) {
		free(*out);
		*out = NULL;
	}
	return err;
}

/* Wide enough for all values but a few outliers, which it counts. */
static rg_error *fit(rg_sparkline_scale *scale, size_t *beyond, const double *before,
		     size_t before_count, const double *after, size_t after_count)
{
	size_t count = before_count + after_count;
	double *values = calloc(count + 1, sizeof(*values));
	rg_curve_range range;

	if (!values)
		return rg_error_nomem();
	memcpy(values, before, before_count * sizeof(*values));
	memcpy(values + before_count, after, after_count * sizeof(*values));
	rg_sparkline_fit(scale, values, count);
	rg_curve_range_of(&range, values, count);
	*beyond = range.beyond;
	if (range.beyond) {
		scale->low = range.low;
		scale->high = range.high;
	}
	free(values);
	return NULL;
}

static rg_error *draw_both(const rg_metric *old, const rg_metric *fresh)
{
	rg_sparkline_scale scale = {INFINITY, -INFINITY, CURVE_WIDTH, terminal_is_utf8()};
	char low[RG_DOUBLE_REPR_SIZE], high[RG_DOUBLE_REPR_SIZE];
	double *before = NULL, *after = NULL;
	size_t beyond = 0;
	rg_error *err;

	err = series_values(old, &before);
	if (!err)
		err = series_values(fresh, &after);
	if (!err)
		err = fit(&scale, &beyond, before, old->count, after, fresh->count);
	if (!err) {
		rg_double_repr(scale.low, low);
		rg_double_repr(scale.high, high);
		terminal_print_safe(stderr, fresh->name);
		fprintf(stderr, ", %s to %s", low, high);
		if (beyond)
			fprintf(stderr, " and %zu value%s beyond", beyond, beyond == 1 ? "" : "s");
		fputc('\n', stderr);
		err = draw("old", before, old->count, &scale);
	}
	if (!err)
		err = draw("new", after, fresh->count, &scale);
	free(after);
	free(before);
	return err;
}

static rg_error *draw_goldens(const rg_plan *plan, const question *q, const rg_buf *old_bytes,
			      const rg_buf *new_bytes)
{
	rg_golden *old = NULL, *fresh = NULL;
	const rg_metric *a, *b;
	rg_error *err;

	err = rg_plan_golden(&old, plan, q->item, old_bytes, false);
	if (!err)
		err = rg_plan_golden(&fresh, plan, q->item, new_bytes, true);
	a = err ? NULL : rg_golden_find(old, q->metric);
	b = err ? NULL : rg_golden_find(fresh, q->metric);
	if (a && b && a->kind == RG_METRIC_SERIES && b->kind == RG_METRIC_SERIES)
		err = draw_both(a, b);
	else if (!err)
		fputs("this metric is not a series\n", stderr);
	rg_golden_free(fresh);
	rg_golden_free(old);
	return err;
}

static rg_error *show_curve(const review *r, const question *q)
{
	size_t index = (size_t)(q->item - r->plan->items);
	rg_buf old, fresh;
	rg_error *err;

	if (!q->metric) {
		fputs("no metric changes here\n", stderr);
		return NULL;
	}
	rg_buf_init(&old, RG_TREE_FILE_MAX);
	rg_buf_init(&fresh, RG_TREE_FILE_MAX);
	err = rg_tree_read_again(r->plan->tree, q->item->golden->target, &old, &q->item->old);
	if (!err)
		err = rg_plan_bytes(r->plan, index, &fresh);
	if (!err)
		err = draw_goldens(r->plan, q, &old, &fresh);
	rg_buf_release(&fresh);
	rg_buf_release(&old);
	return err;
}

static const char help[] = "y - take this golden\n"
			   "n - leave it out\n"
			   "s - skip it for now; it is asked again at the end\n"
			   "t - take all of this test that is undecided\n"
			   "m - take all goldens whose worst metric is the same\n"
			   "a - take all the rest\n"
			   "r - show all rows\n"
			   "c - show the worst metric's curve, old and new\n"
			   "q - leave out all that is undecided; what was taken goes in\n"
			   "? - show this help\n";

/* The first letter of a line, small as git takes it; 0 for an empty one; RG_E_CANCELLED at the end
 * of input. */
static rg_error *read_answer(char *out)
{
	char line[64];
	rg_error *err;
	bool end;

	err = terminal_read_line(line, sizeof(line), &end);
	if (err || end)
		fputc('\n', stderr);
	if (!err && end)
		err = rg_error_new(RG_E_CANCELLED,
				   "the input ended before the review did; nothing is changed");
	if (!err)
		*out = (char)tolower((unsigned char)line[0]);
	return err;
}

static rg_error *describe(const review *r, const question *q, size_t place)
{
	fprintf(stderr, "\n(%zu/%zu) %s ", place + 1, r->count,
		q->item->change == RG_PLAN_NEW ? "new" : "changed");
	terminal_print_safe(stderr, q->item->golden->target);
	fputc('\n', stderr);
	return update_print_item(r->plan, q->item, ROWS_SHOWN, stderr);
}

/* Asks about one golden until it is decided or skipped; *quit ends the review. */
static rg_error *ask(review *r, size_t place, bool *quit)
{
	question *q = &r->questions[place];
	char answer;

	RG_TRY(describe(r, q, place));
	for (;;) {
		fputs("take this golden [y,n,s,t,m,a,r,c,q,?]? ", stderr);
		RG_TRY(read_answer(&answer));
		switch (answer) {
		case 'y':
		case 'n':
			decide(q, answer == 'y');
			return NULL;
		case 's':
			return NULL;
		case 'm':
			if (!q->metric) {
				fputs("no metric changes here\n", stderr);
				continue;
			}
			/* fall through */
		case 't':
		case 'a':
			take_all(r, q, answer);
			return NULL;
		case 'r':
			RG_TRY(update_print_item(r->plan, q->item, 0, stderr));
			continue;
		case 'c':
			RG_TRY(show_curve(r, q));
			continue;
		case 'q':
			*quit = true;
			return NULL;
		default:
			fputs(help, stderr);
		}
	}
}

/* Twice through what is undecided: the second time for what was skipped. */
static rg_error *ask_all(review *r)
{
	bool quit = false;
	size_t i;
	int round;

	for (round = 0; round < 2; round++)
		for (i = 0; i < r->count && !quit; i++)
			if (!r->questions[i].decided)
				RG_TRY(ask(r, i, &quit));
	for (i = 0; i < r->count; i++)
		if (!r->questions[i].decided)
			r->questions[i].item->left_out = true;
	return NULL;
}

rg_error *interactive_check(void)
{
	return terminal_is_interactive() ? NULL : usage_error("--interactive needs a terminal");
}

rg_error *interactive_review(rg_plan *plan)
{
	review r = {.plan = plan};
	rg_error *err;

	RG_TRY(interactive_check());
	err = collect(&r);
	if (!err)
		err = ask_all(&r);
	free(r.questions);
	return err;
}
