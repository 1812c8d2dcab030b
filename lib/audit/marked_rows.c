/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/conformal.h"
#include "audit/verdict.h"
#include "base/memory.h"
#include "base/order.h"
#include "compare/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_answer_names[RG_ANSWERS] = {NULL, "noise", "changed", "cannot be told"};

/* A run that is off so many times what any measured run of the metric is, in any golden, is another
 * one by a rule of thumb, which needs no number of runs. */
#define THUMB 30.0

/* The row is outside all of its own runs by more than its flag level, or has no such level. */
static bool is_outside(const rg_row *row)
{
	const rg_verdict *v = &row->verdict;
	if ((v->kind != RG_VERDICT_OUTSIDE && v->kind != RG_VERDICT_INCONCLUSIVE) || row->ignored)
		return false;
	if (isnan(row->flag_at) || isnan(v->off))
		return row->level >= RG_LEVEL_FLAG || row->level == RG_LEVEL_NONE;
	return v->off - v->seen > row->flag_at;
}

/* The answer rests on the rows that were tested: if another one is outside, it is not noise. */
static void open_answer(rg_run_test *run, rg_comparison *c)
{
	double most = -1;
	if (run->answer != RG_ANSWER_NOISE)
		return;
	for (size_t i = 0; i < rg_comparison_rows(c); i++) {
		const rg_row *row = rg_comparison_row(c, i);
		double off = isnan(row->verdict.off) ? INFINITY : row->verdict.off;
		if (row->verdict.tested || !is_outside(row))
			continue;
		run->open_rows++;
		if (off > most) {
			most = off;
			run->open_file = row->file;
			run->open_metric = row->metric;
		}
	}
	if (run->open_rows) {
		run->answer = RG_ANSWER_OPEN;
		run->p = NAN;
	}
}

/* --- the rule of thumb --- */

/* The measured runs of a metric are off by `seen` at most, in any golden. */
typedef struct {
	const char *metric;
	double seen;
} metric_noise;

RG_ORDER(by_metric, metric_noise, RG_BY_TEXT(metric));

static bool has_few_runs(const rg_row *row, double level)
{
	return !isnan(row->verdict.off) && row->verdict.runs < rg_runs_needed(level) &&
	       is_outside(row);
}

/* How far one run is off is not known of it alone: as if by all. */
static rg_error *measure_noise(metric_noise *noise, const rg_noise_model *model,
			       const rg_noise_series *series)
{
	RG_AUTO(rg_arena) arena = {0};
	rg_noise_content content;
	const size_t runs = series->run_count, steps = series->count;
	double *values;
	double seen, off;
	if (runs < 2) {
		noise->seen = fmax(noise->seen, 1);
		return NULL;
	}
	RG_TRY(rg_noise_read(&content, &values, 1, &arena, model, series));
	rg_conformal_off(&seen, &off, values, runs + 1, steps, RG_NEAR_ZERO, NULL);
	noise->seen = fmax(noise->seen, isfinite(seen) ? seen : INFINITY);
	return NULL;
}

/* Lists the metrics of rows that too few runs measured; *count of them, the caller's to free. */
static rg_error *find_noise(metric_noise **out, size_t *count, rg_comparison *c,
			    const rg_noise_judge_context *judge)
{
	const rg_noise_model *model = judge->model;
	size_t n = 0;
	*out = rg_calloc(rg_comparison_rows(c) + 1, sizeof(**out));
	for (size_t i = 0; i < rg_comparison_rows(c); i++)
		if (has_few_runs(rg_comparison_row(c, i), judge->level))
			(*out)[n++].metric = rg_comparison_row(c, i)->metric;
	rg_sort_keep_last(*out, &n, sizeof(**out), by_metric, NULL);
	*count = n;
	for (size_t i = 0; n && i < model->count; i++) {
		const metric_noise like = {.metric = model->series[i].metric};
		metric_noise *found = bsearch(&like, *out, n, sizeof(like), by_metric);
		if (found)
			RG_TRY(measure_noise(found, model, &model->series[i]));
	}
	return NULL;
}

static bool is_out_by_thumb(rg_comparison *c, rg_row *row, const metric_noise *noise, size_t count,
			    double level)
{
	const metric_noise like = {.metric = row->metric}, *found;
	rg_verdict *v = &row->verdict;
	if (!has_few_runs(row, level))
		return false;
	found = bsearch(&like, noise, count, sizeof(like), by_metric);
	if (!found || v->off <= THUMB * found->seen)
		return false;
	v->text = rg_arena_textf(&c->arenas[0],
				 "%s; by a rule of thumb it is another run's: over %g times what "
				 "any measured run of %s is off",
				 v->text, THUMB, row->metric);
	return true;
}

/* Some of many rows are outside by chance. If the run has no verdict, only those count that are far
 * past their own runs. */
static bool is_clear(const rg_verdict *v, double level)
{
	return v->kind == RG_VERDICT_OUTSIDE &&
	       (!v->goldens || v->beyond >= rg_conformal_clearly(v->runs) ||
		v->p * (double)v->goldens <= level);
}

rg_error *rg_noise_mark_rows(rg_comparison *c, const rg_noise_judge_context *judge)
{
	RG_AUTO_FREE metric_noise *noise = NULL;
	size_t count = 0;
	open_answer(&c->run.fresh, c);
	const rg_answer answer = c->run.fresh.answer;
	if (answer == RG_ANSWER_OPEN)
		RG_TRY(find_noise(&noise, &count, c, judge));
	for (size_t i = 0; i < rg_comparison_rows(c); i++) {
		rg_row *row = rg_comparison_row(c, i);
		rg_verdict *v = &row->verdict;
		v->stands_out =
			answer == RG_ANSWER_OPEN
				? is_clear(v, judge->level) ||
					  is_out_by_thumb(c, row, noise, count, judge->level)
				: answer == RG_ANSWER_CHANGED && !isnan(v->run_p);
	}
	return NULL;
}
