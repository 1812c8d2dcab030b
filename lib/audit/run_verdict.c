/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row that is further out than all runs by as much as their range is looked at in any case. */
#define STANDS_OUT 1.0

/* Rows of the same runs stand together. */
static int by_runs(const void *a, const void *b)
{
	const rg_verdict *x = &(*(const rg_row *const *)a)->verdict;
	const rg_verdict *y = &(*(const rg_row *const *)b)->verdict;

	if (x->runs != y->runs)
		return x->runs < y->runs ? 1 : -1;
	return memcmp(x->ranked_runs, y->ranked_runs, x->runs * sizeof(*x->ranked_runs));
}

/* The rows that have ranks, those of the most common set of runs as `out->rows` from *first on. */
static size_t choose_rows(const rg_row **rows, const rg_comparison *c, rg_run_verdict *out)
{
	size_t count = 0, end, first = 0;
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].verdict.ranks)
			rows[count++] = &c->rows[i];
	qsort(rows, count, sizeof(const rg_row *), by_runs);
	for (size_t start = 0; start < count; start = end) {
		for (end = start + 1; end < count && !by_runs(&rows[start], &rows[end]);)
			end++;
		if (end - start > out->rows) {
			out->rows = end - start;
			first = start;
		}
	}
	return first;
}

/* In how many of the rows each run, the new one last, is as far out as the level has it. */
static void count_outside(size_t *counts, const rg_row *const *rows, size_t count, size_t most)
{
	for (size_t i = 0; i < count; i++)
		for (size_t r = 0; r <= rows[i]->verdict.runs; r++)
			counts[r] += rows[i]->verdict.ranks[r] <= most ? 1 : 0;
}

static void stand(rg_run_verdict *out, const size_t *counts, double level)
{
	size_t as_many = 1, all = counts[out->runs];
	out->outside = counts[out->runs];
	out->least = SIZE_MAX;
	for (size_t r = 0; r < out->runs; r++) {
		out->least = counts[r] < out->least ? counts[r] : out->least;
		out->most = counts[r] > out->most ? counts[r] : out->most;
		as_many += counts[r] >= out->outside ? 1 : 0;
		all += counts[r];
	}
	out->expected = (double)all * rg_rank_bound(out->runs);
	out->p = (double)as_many * rg_rank_bound(out->runs);
	out->is_another = out->p <= level * (1 + 1e-12);
}

static void mark_rows(rg_comparison *c)
{
	for (size_t i = 0; i < c->row_count; i++) {
		rg_verdict *verdict = &c->rows[i].verdict;
		verdict->of_another_run = c->run.is_another;
		verdict->stands_out = verdict->kind == RG_VERDICT_OUTSIDE &&
				      (!c->run.rows || c->run.is_another ||
				       verdict->beyond >= STANDS_OUT || !isfinite(verdict->beyond));
	}
}

void rg_noise_judge_run(rg_comparison *comparison, double level)
{
	const rg_row **rows = rg_calloc(comparison->row_count + 1, sizeof(const rg_row *));
	rg_run_verdict *out = &comparison->run;
	size_t most, *counts = NULL;

	*out = (rg_run_verdict){0};
	size_t first = choose_rows(rows, comparison, out);
	if (out->rows) {
		out->runs = rows[first]->verdict.runs;
		counts = rg_calloc(out->runs + 1, sizeof(*counts));
	}
	if (out->rows) {
		/* With too few runs for the level, being further out than all of them counts. */
		most = (size_t)floor(level * (double)(out->runs + 1) * (1 + 1e-12));
		most = most ? most : 1;
		count_outside(counts, rows + first, out->rows, most);
		stand(out, counts, level);
	}
	mark_rows(comparison);
	free(counts);
	free(rows);
}
