/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/checks_apply.h"
#include "base/memory.h"
#include "report/story_parts.h"

#include <stdlib.h>
#include <string.h>

/* Metrics that a check fails by before the others are counted. */
enum { METRICS_NAMED = 3 };

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
		rg_buf_printf(out, ", %zu more metric%s", n - i, n - i == 1 ? "" : "s");
	free(failures);
}

void rg_story_say_checks(rg_buf *out, const rg_story *story, const char **worst)
{
	const rg_comparison *c = story->summary->comparison;
	size_t most = 0, unchecked = 0;
	bool exact_fails = false;

	*worst = NULL;
	for (size_t pass = 0; c->checks && pass < 2; pass++)
		for (size_t i = 0; i < c->checks->count; i++) {
			const rg_checks_check *check = &c->checks->items[i];
			const rg_checks_count count = rg_checks_count_goldens(c, i);

			if (check->exact != (pass == 1))
				continue;
			unchecked = count.unchecked > unchecked ? count.unchecked : unchecked;
			if (!count.applied)
				continue;
			say_check(out, c, i, &count);
			exact_fails |= check->exact && count.fails;
			if (check->exact || count.fails <= most)
				continue;
			most = count.fails;
			*worst = check->name;
		}
	/* What a check with a tolerance refuses may be the danger, not the reason. */
	if (exact_fails && !*worst && story->summary->refresh)
		rg_buf_str(out, "; these are why the refresh is needed");
	if (unchecked)
		rg_buf_printf(out, "%s%zu golden%s could not be checked", out->length ? "; " : "",
			      unchecked, unchecked == 1 ? "" : "s");
}
