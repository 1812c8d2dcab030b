/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/new_runs.h"

#include "base/memory.h"
#include "base/order.h"
#include "audit/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_new_runs_verdict_names[] = {"moved", "undecided", "alike", "untested"};

/* --- the rank test --- */

/* Nobody has so many runs: a larger number is given as this one. */
enum { MISSING_MAX = 9999 };

/* Ranks are counted twice, so that those of ties are whole numbers. */
static size_t double_rank(const double *sorted, size_t count, double value)
{
	return rg_ecdf_count(sorted, count, value, false) +
	       rg_ecdf_count(sorted, count, value, true) + 1;
}

/*
 * The share, among all ways to choose `chosen` of the values, whose ranks' sum is as far from its
 * mean as `off`. ways[k * width + s]: in how many ways k of the values that were looked at sum to
 * s, as a share of all ways to choose k of all of them, for no count overflows so.
 */
static double share_as_far(double *ways, size_t width, const double *sorted, size_t count,
			   size_t chosen, size_t off)
{
	size_t mean = chosen * (count + 1);
	double share = 0;
	ways[0] = 1;
	for (size_t i = 0; i < count; i++) {
		size_t rank = double_rank(sorted, count, sorted[i]);
		for (size_t k = i + 1 < chosen ? i + 1 : chosen; k > 0; k--)
			for (size_t s = width; s-- > rank;)
				ways[k * width + s] += ways[(k - 1) * width + s - rank] *
						       (double)k / (double)(count + 1 - k);
	}
	for (size_t s = 0; s < width; s++)
		if ((s > mean ? s - mean : mean - s) >= off)
			share += ways[chosen * width + s];
	return fmin(share, 1);
}

double rg_rank_test(const double *older, size_t older_count, const double *newer,
		    size_t newer_count)
{
	size_t count = older_count + newer_count, width = 2 * count * newer_count + 1, sum = 0;
	size_t mean = newer_count * (count + 1);
	if (!older_count || !newer_count)
		return 1;
	RG_AUTO_FREE double *sorted = rg_calloc(count, sizeof(*sorted));
	RG_AUTO_FREE double *ways = rg_calloc((newer_count + 1) * width, sizeof(*ways));
	memcpy(sorted, older, older_count * sizeof(*sorted));
	memcpy(sorted + older_count, newer, newer_count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), rg_compare_doubles);
	for (size_t i = 0; i < newer_count; i++)
		sum += double_rank(sorted, count, newer[i]);
	return share_as_far(ways, width, sorted, count, newer_count,
			    sum > mean ? sum - mean : mean - sum);
}

static bool is_at(double p, double level)
{
	return p <= level * (1 + 1e-9);
}

size_t rg_rank_test_missing(size_t older_count, size_t newer_count, double level)
{
	/* Both ends of the ranks, of all ways to part so many. */
	double share = 2;
	size_t more = 0;
	for (size_t i = 1; i <= newer_count; i++)
		share *= (double)i / (double)(older_count + i);
	while (more < MISSING_MAX && !is_at(fmin(share, 1), level)) {
		more++;
		share *= (double)(newer_count + more) / (double)(older_count + newer_count + more);
	}
	return more;
}

/* --- the runs --- */

/* A metric's mean in a run; with the metric "" it says that the run has the file: as the baseline
 * has it, unless its comparison lists it. */
typedef struct rg_new_mean {
	const char *file, *metric;
	size_t run, steps;
	double old_mean, mean;
	bool listed;
	bool measured; /* the noise model has these steps */
} new_mean;

void rg_new_runs_init(rg_new_runs *out, size_t runs, double level)
{
	*out = (rg_new_runs){.level = level};
	rg_arena_init(&out->arena);
	out->labels = rg_arena_alloc(&out->arena, runs * sizeof(*out->labels));
	out->ids = rg_arena_alloc(&out->arena, runs * sizeof(*out->ids));
	out->is_part = rg_arena_alloc(&out->arena, runs * sizeof(*out->is_part));
	out->runs = runs;
}

void rg_new_runs_release(rg_new_runs *runs)
{
	free(runs->rows);
	free(runs->means);
	rg_arena_release(&runs->arena);
	*runs = (rg_new_runs){0};
}

static void append_mean(rg_new_runs *runs, new_mean mean)
{
	mean.file = rg_arena_text(&runs->arena, mean.file);
	mean.metric = rg_arena_text(&runs->arena, mean.metric);
	*RG_PUSH(runs->means, runs->mean_count, runs->mean_capacity) = mean;
}

rg_error *rg_new_runs_add(rg_new_runs *runs, size_t place, const rg_new_run *run,
			  const rg_comparison *comparison)
{
	for (size_t i = 0; i < runs->runs; i++)
		if (run->id && runs->ids[i] == run->id)
			return rg_error_new(RG_E_USAGE, "--new: %s is named twice", run->label);
	runs->ids[place] = run->id;
	runs->is_part[place] = run->is_part;
	runs->labels[place] = rg_arena_text(&runs->arena, run->label);
	for (size_t i = 0; i < run->has_count; i++)
		append_mean(runs, (new_mean){.file = run->has[i], .metric = "", .run = place});
	for (size_t i = 0; i < comparison->file_count; i++)
		append_mean(runs, (new_mean){.file = comparison->files[i].file,
					     .metric = "",
					     .run = place,
					     .listed = true});
	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		if (row->kind == RG_ROW_SERIES && !row->ignored && isfinite(row->old_mean) &&
		    isfinite(row->new_mean) && !row->left_out.new_nonfinite)
			append_mean(runs,
				    (new_mean){.file = comparison->files[row->file_index].file,
					       .metric = row->metric,
					       .run = place,
					       .steps = row->n_steps,
					       .old_mean = row->old_mean,
					       .mean = row->new_mean,
					       .measured = row->verdict.steps == row->n_steps});
	}
	return NULL;
}

RG_ORDER(by_series, new_mean,
	 RG_BY_TEXT(file) || RG_BY_TEXT(metric) || RG_RISING(run) || RG_RISING(listed));

/* The means of the measured runs, which the caller frees; NULL and *count 0 stay where the model
 * has others. */
static rg_error *measured_means(double **out, size_t *count, bool *drift,
				const rg_noise_model *model, const new_mean *like)
{
	const rg_noise_series *series =
		model && like->measured ? rg_noise_model_find(model, like->file, like->metric)
					: NULL;
	*drift = series && series->drifts;
	if (!series || series->count != like->steps)
		return NULL;
	*out = rg_calloc(series->run_count + 1, sizeof(**out));
	RG_AUTO(rg_arena) arena = {0};
	rg_noise_content content;
	double *values;
	RG_TRY(rg_noise_read(&content, &values, 0, &arena, model, series));
	for (size_t r = 0; r < series->run_count; r++) {
		rg_sum sum = {0, 0};
		for (size_t s = 0; s < series->count; s++)
			rg_sum_add(&sum, values[r * series->count + s]);
		(*out)[*count] = rg_sum_mean(&sum, series->count);
		*count += isfinite((*out)[*count]) ? 1 : 0;
	}
	return NULL;
}

static void test(rg_new_runs_row *row, const double *older, size_t older_count, const double *newer,
		 double level)
{
	bool all_equal = true;
	rg_shift_find(&row->shift, older, older_count, newer, row->count);
	row->p = rg_rank_test(older, older_count, newer, row->count);
	for (size_t i = 0; i < older_count; i++)
		all_equal &= older[i] == newer[0];
	for (size_t i = 0; i < row->count; i++)
		all_equal &= newer[i] == newer[0];
	row->missing = all_equal ? 0 : rg_rank_test_missing(older_count, row->count, level);
	row->verdict = is_at(row->p, level) ? RG_NEW_RUNS_MOVED
		       : row->missing       ? RG_NEW_RUNS_UNDECIDED
					    : RG_NEW_RUNS_ALIKE;
}

static rg_error *judge_row(rg_new_runs *runs, rg_new_runs_row *row, const new_mean *means,
			   size_t count, const bool *unchanged, const rg_noise_model *model)
{
	const new_mean *like = means;
	RG_AUTO_FREE double *older = NULL;
	bool drift;
	/* The largest number of steps counts: a run that lost some is not like the others. */
	for (size_t i = 1; i < count; i++)
		if (means[i].steps > like->steps ||
		    (means[i].steps == like->steps && means[i].measured && !like->measured))
			like = &means[i];
	*row = (rg_new_runs_row){
		.file = like->file, .metric = like->metric, .old_mean = like->old_mean};
	row->runs = runs->runs;
	row->means = rg_arena_alloc(&runs->arena, 2 * runs->runs * sizeof(*row->means));
	double *newer = row->means + runs->runs;
	for (size_t i = 0; i < runs->runs; i++)
		row->means[i] = unchanged[i] ? like->old_mean : NAN;
	for (size_t i = 0; i < count; i++)
		if (means[i].steps == like->steps)
			row->means[means[i].run] = means[i].mean;
	for (size_t i = 0; i < runs->runs; i++)
		if (!isnan(row->means[i]))
			newer[row->count++] = row->means[i];
	RG_TRY(measured_means(&older, &row->measured, &drift, model, like));
	const bool measured = older && row->measured;
	test(row, measured ? older : &row->old_mean, measured ? row->measured : 1, newer,
	     runs->level);
	if (row->measured && drift) {
		row->p = NAN;
		row->missing = 0;
		row->verdict = RG_NEW_RUNS_UNTESTED;
	}
	return NULL;
}

static double share_of(const rg_new_runs_row *row)
{
	return row->shift.size == 0 ? 0 : fabs(row->shift.size / row->old_mean);
}

RG_ORDER(by_verdict, rg_new_runs_row,
	 RG_RISING(verdict) || RG_RISING(p) || RG_BY(share_of(y), share_of(x)) ||
		 RG_BY_TEXT(file) || RG_BY_TEXT(metric));

rg_error *rg_new_runs_judge(rg_new_runs *runs, const rg_noise_model *model)
{
	/* By run: it has the file as the baseline does. */
	RG_AUTO_FREE bool *unchanged = rg_calloc(runs->runs + 1, sizeof(*unchanged));
	size_t end;
	runs->rows = rg_calloc(runs->mean_count + 1, sizeof(*runs->rows));
	if (runs->mean_count)
		qsort(runs->means, runs->mean_count, sizeof(*runs->means), by_series);
	for (size_t i = 0; i < runs->mean_count; i = end) {
		const new_mean *first = &runs->means[i];
		bool same_file = i && !strcmp(first[-1].file, first->file);

		for (end = i + 1; end < runs->mean_count; end++)
			if (strcmp(runs->means[end].file, first->file) != 0 ||
			    strcmp(runs->means[end].metric, first->metric) != 0)
				break;
		for (size_t k = 0; !same_file && k < runs->runs; k++)
			unchanged[k] = !runs->is_part[k];
		if (*first->metric) {
			rg_new_runs_row *row = &runs->rows[runs->row_count++];
			RG_TRY(judge_row(runs, row, first, end - i, unchanged, model));
			runs->counts[row->verdict]++;
			continue;
		}
		for (; first < &runs->means[end]; first++)
			unchanged[first->run] = !first->listed;
	}
	if (runs->row_count)
		qsort(runs->rows, runs->row_count, sizeof(*runs->rows), by_verdict);
	return NULL;
}

/* --- the middle --- */

/* How far a run's rank in a row is from the middle one, twice, so that it is a whole number with
 * ties too. */
static size_t rank_off(const rg_new_runs *runs, const rg_new_runs_row *row, size_t place)
{
	size_t rank = 1, middle = runs->runs + 1;
	for (size_t i = 0; i < runs->runs; i++) {
		rank += row->means[i] < row->means[place] ? 1 : 0;
		rank += row->means[i] <= row->means[place] ? 1 : 0;
	}
	return rank > middle ? rank - middle : middle - rank;
}

size_t rg_new_runs_middle(const rg_new_runs *runs, const bool *may, size_t *rows)
{
	size_t best = SIZE_MAX, least = SIZE_MAX;
	for (size_t place = 0; place < runs->runs; place++) {
		size_t off = 0;
		*rows = 0;
		for (size_t i = 0; i < runs->row_count; i++) {
			if (runs->rows[i].count < runs->runs)
				continue;
			off += rank_off(runs, &runs->rows[i], place);
			++*rows;
		}
		if ((may && !may[place]) || (best != SIZE_MAX && off >= least))
			continue;
		best = place;
		least = off;
	}
	return best;
}
