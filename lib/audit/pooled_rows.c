/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/conformal.h"
#include "audit/verdict.h"
#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What all rows of a metric say of how far runs are off counts as so many runs of each. */
#define POOL_RUNS 3.0

/* A row that too few runs measured to rank it among them. */
typedef struct {
	rg_row *row;
	size_t runs; /* the new one too, which is the last */
	const double *means, *sizes;
} few_row;

typedef struct {
	double score, weight; /* the weights of a row are 1 */
} placed;

RG_ORDER(by_metric, few_row, RG_BY_TEXT(row->metric));

/* What a figure is divided by: what the row's runs are off, and what those of all rows are. */
static double unit_of(const double *values, size_t runs, double of_all)
{
	double n = (double)runs - 1, own = rg_size_as_a_rule(values, runs);
	return fmax(sqrt((n * own * own + POOL_RUNS * of_all * of_all) / (n + POOL_RUNS)),
		    RG_CONFORMAL_FLOOR);
}

/* What a figure is as a rule, over all rows' runs, and where most agree to the bit what those are
 * that do not; `means`: which of the two. */
static double usual_of(const few_row *rows, size_t count, size_t total, bool means)
{
	double *all = rg_calloc(total, sizeof(*all));
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		memcpy(all + n, means ? rows[i].means : rows[i].sizes, rows[i].runs * sizeof(*all));
		n += rows[i].runs;
	}
	double usual = rg_usual_size(all, total);
	if (usual < RG_CONFORMAL_FLOOR)
		usual = rg_size_as_a_rule(all, total);
	free(all);
	return usual;
}

/* Each run's score in each row; the new run's of a row is `fresh`. */
static void take_scores(placed *out, double *fresh, const few_row *rows, size_t count, size_t total)
{
	double mean = usual_of(rows, count, total, true);
	double size = usual_of(rows, count, total, false);
	for (size_t i = 0; i < count; i++) {
		const few_row *row = &rows[i];
		double mean_unit = unit_of(row->means, row->runs, mean);
		double size_unit = unit_of(row->sizes, row->runs, size);
		for (size_t r = 0; r < row->runs; r++)
			*out++ =
				(placed){fmax(row->means[r] / mean_unit, row->sizes[r] / size_unit),
					 1 / (double)row->runs};
		fresh[i] = out[-1].score;
	}
}

static rg_error *say(const char **out, rg_arena *arena, const rg_row *row, size_t goldens)
{
	const rg_verdict *v = &row->verdict;
	char percent[RG_PERCENT_SIZE];
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	if (v->kind == RG_VERDICT_WITHIN) {
		rg_buf_printf(&text, "%s, by no more than rows of %s often are (%zu goldens)",
			      v->place, row->metric, goldens);
	} else {
		rg_percent_at_most(percent, v->p);
		rg_buf_printf(&text,
			      "outside: %s: %s; by chance in at most %s %% of rows of %s "
			      "(%zu goldens)",
			      v->place, v->figure, percent, row->metric, goldens);
	}
	return rg_buf_keep(&text, arena, "verdict", out);
}

/* Where its runs agree to the bit, or the new one is not past all of them, that is said. */
static rg_error *judge(rg_arena *arena, const few_row *few, double fresh, const placed *scores,
		       size_t total, size_t goldens, double level)
{
	rg_verdict *v = &few->row->verdict;
	double reached = 0;
	if (!v->place || !isfinite(v->beyond))
		return NULL;
	for (size_t i = 0; i < total; i++)
		reached += scores[i].score >= fresh ? scores[i].weight : 0;
	v->p = fmin(reached / (double)goldens, 1);
	v->bound = 1 / ((double)few->runs * (double)goldens);
	v->kind = v->p <= level * (1 + 1e-12) ? RG_VERDICT_OUTSIDE : RG_VERDICT_WITHIN;
	v->goldens = goldens;
	return say(&v->text, arena, few->row, goldens);
}

/* The rows of one metric. */
static rg_error *pool(rg_arena *arena, const few_row *rows, size_t count, double level)
{
	size_t total = 0;
	for (size_t i = 0; i < count; i++)
		total += rows[i].runs;
	/* The furthest of all runs and rows counts as one row in so many. */
	if ((double)total * level * (1 + 1e-12) < 1)
		return NULL;
	placed *scores = rg_calloc(total, sizeof(*scores));
	double *fresh = rg_calloc(count, sizeof(*fresh));
	take_scores(scores, fresh, rows, count, total);
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < count; i++)
		err = judge(arena, &rows[i], fresh[i], scores, total, count, level);
	free(fresh);
	free(scores);
	return err;
}

static size_t list_few(few_row *out, rg_row *rows, size_t count, size_t needed)
{
	size_t listed = 0;
	for (size_t i = 0; i < count; i++) {
		const rg_verdict *v = &rows[i].verdict;
		if (v->means && v->runs < needed)
			out[listed++] = (few_row){&rows[i], v->runs + 1, v->means, v->sizes};
	}
	return listed;
}

rg_error *rg_noise_pool_rows(rg_comparison *c, const rg_noise_judge_context *judge)
{
	size_t needed = rg_runs_needed(judge->level), count, end;
	few_row *rows = rg_calloc(c->row_count + c->gap_count + 1, sizeof(*rows));
	rg_error *err = NULL;

	count = list_few(rows, c->rows, c->row_count, needed);
	count += list_few(rows + count, c->gaps, c->gap_count, needed);
	if (count)
		qsort(rows, count, sizeof(*rows), by_metric);
	for (size_t i = 0; !err && i < count; i = end) {
		for (end = i + 1; end < count && !by_metric(&rows[i], &rows[end]);)
			end++;
		err = pool(&c->arenas[0], rows + i, end - i, judge->level);
	}
	free(rows);
	return err;
}
