/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include "base/memory.h"
#include "audit/conformal.h"
#include "compare/compare.h"
#include "golden/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many times the runs' range is clearly out, however few they are. */
#define CLEARLY 10.0

/* The model's runs and, as the last of them, the new values; all finite. */
typedef struct {
	const rg_noise_series *series;
	double *values; /* run by run */
	size_t *steps;  /* the series' steps that they are of: where all runs are finite */
	size_t step_count;
	rg_conformal_run *ranks;
	bool nonfinite; /* the new ones, at a step where all runs are finite */
	size_t nonfinite_at;
	bool equal, alike; /* the new ones to all runs; the runs to each other; to the bit */
} evidence;

static bool same_steps(const rg_noise_series *series, const rg_metric *metric)
{
	if (metric->kind != RG_METRIC_SERIES || metric->count != series->count)
		return false;
	if (metric->steps)
		return !memcmp(metric->steps, series->steps,
			       metric->count * sizeof(*metric->steps));
	for (size_t i = 0; i < series->count; i++)
		if (series->steps[i] != (int64_t)i)
			return false;
	return true;
}

/* Where a series has the value of a place. */
static bool find_value(const rg_metric *metric, size_t place, size_t *at)
{
	size_t low = 0, high = metric->count;
	if (!metric->steps) {
		*at = place;
		return place < metric->count;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (metric->steps[middle] < (int64_t)place)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < metric->count && metric->steps[low] == (int64_t)place;
}

/* A table's values for the model's records, wherever they are now. *found: it has all of them;
 * records that the model has not are no matter. */
static rg_error *gather(double *out, bool *found, const rg_noise_series *series,
			const rg_metric *metric)
{
	size_t place, at;
	*found = false;
	if (!metric->records || metric->kind != RG_METRIC_SERIES)
		return NULL;
	for (size_t i = 0; i < series->count; i++) {
		if (!rg_records_find(metric->records, series->records->names[i], &place) ||
		    !find_value(metric, place, &at))
			return NULL;
		RG_TRY(rg_metric_read(metric, at, 1, &out[i]));
	}
	*found = true;
	return NULL;
}

/* The new values in the series' steps; *found: they are the same. */
static rg_error *read_new(double *out, bool *found, const rg_noise_series *series,
			  const rg_metric *metric)
{
	if (series->records)
		return gather(out, found, series, metric);
	*found = !metric->records && same_steps(series, metric);
	return *found ? rg_metric_read(metric, 0, series->count, out) : NULL;
}

static bool same_bits(const double *a, const double *b, size_t count)
{
	return !memcmp(a, b, count * sizeof(*a));
}

/* Keeps the steps at which all of the model's runs are finite, and closes the others up. */
static void keep_finite(evidence *e)
{
	size_t n = e->series->run_count, count = e->series->count, r, kept = 0;
	for (size_t s = 0; s < count; s++) {
		for (r = 0; r < n && isfinite(e->values[r * count + s]); r++)
			;
		if (r < n)
			continue;
		if (!isfinite(e->values[n * count + s]) && !e->nonfinite) {
			e->nonfinite = true;
			e->nonfinite_at = s;
		}
		e->steps[kept++] = s;
	}
	for (r = 0; r <= n; r++)
		for (size_t s = 0; s < kept; s++)
			e->values[r * kept + s] = e->values[r * count + e->steps[s]];
	e->step_count = kept;
}

static void compare_bits(evidence *e)
{
	const double *fresh = e->values + e->series->run_count * e->step_count;
	e->alike = e->equal = true;
	for (size_t r = 0; r < e->series->run_count; r++) {
		const double *run = e->values + r * e->step_count;
		e->alike &= same_bits(run, e->values, e->step_count);
		e->equal &= same_bits(run, fresh, e->step_count);
	}
}

static rg_error *collect(evidence *e, bool *found, const rg_metric *metric, double near_zero)
{
	size_t n = e->series->run_count, count = e->series->count;
	e->values = rg_calloc((n + 1) * (count + 1), sizeof(*e->values));
	e->steps = rg_calloc(count + 1, sizeof(*e->steps));
	e->ranks = rg_calloc(n + 1, sizeof(*e->ranks));
	RG_TRY(read_new(e->values + n * count, found, e->series, metric));
	if (!*found)
		return NULL;
	RG_TRY(rg_noise_series_values(e->values, e->series));
	keep_finite(e);
	compare_bits(e);
	if (e->nonfinite) {
		e->ranks[n].rank = e->ranks[n].mean_rank = 1;
		return NULL;
	}
	rg_conformal_rank(e->ranks, e->values, n + 1, e->step_count, near_zero);
	return NULL;
}

/* What the runs have in common, where it is known: a group may be those of no known branch. */
static const char *common_text(const rg_noise_model *model, const rg_audit_run *run)
{
	if (model->grouping == RG_BY_COMMIT && *run->commit)
		return "same commit, ";
	if (model->grouping == RG_BY_BRANCH && *run->branch)
		return "same branch, ";
	return "";
}

/* "24 runs (same branch, 2026-04-02 … 2026-05-01)": days, or ids where no time is known. */
static void put_runs(rg_buf *text, const rg_noise_model *model, const rg_noise_series *series)
{
	const rg_audit_run *first = &model->runs[series->runs[0]];
	const rg_audit_run *last = &model->runs[series->runs[series->run_count - 1]];

	rg_buf_printf(text, "%zu run%s (%s", series->run_count, series->run_count == 1 ? "" : "s",
		      common_text(model, first));
	if (rg_audit_run_has_day(first) && rg_audit_run_has_day(last))
		rg_buf_printf(text, "%.10s … %.10s)", first->when, last->when);
	else
		rg_buf_printf(text, "%s … %s)", first->id, last->id);
}

/* How far the new run is past all others in what its score is, in units of their range; 0 within
 * it. */
static double beyond(const evidence *e)
{
	const rg_conformal_run *fresh = &e->ranks[e->series->run_count];
	bool by_mean = fresh->figure == RG_CONFORMAL_MEAN;
	double low = INFINITY, high = -INFINITY, value = by_mean ? fresh->mean : fresh->score;

	for (size_t r = 0; r < e->series->run_count; r++) {
		double of_run = by_mean ? e->ranks[r].mean : e->ranks[r].score;
		low = fmin(low, of_run);
		high = fmax(high, of_run);
	}
	double off = fmax(value - high, by_mean ? low - value : 0);
	return off > 0 ? off / (high - low) : 0;
}

static const char *step_of(const evidence *e, char number[static RG_STEP_TEXT], size_t at)
{
	size_t step = e->nonfinite ? at : e->steps[at];
	return e->series->records ? rg_step_name(e->series->records, (int64_t)step, number)
				  : rg_step_name(NULL, e->series->steps[step], number);
}

/* "its mean, 5.2 times their range beyond them", "its shape, from step 20 on", "one step: 37" */
static void put_figure(rg_buf *text, const evidence *e, const rg_verdict *verdict)
{
	const rg_conformal_run *fresh = &e->ranks[e->series->run_count];
	const char *word = rg_step_word(e->series->records, true);
	char number[RG_STEP_TEXT];

	if (e->nonfinite) {
		rg_buf_printf(text, "not finite at %s %s, where they are", word,
			      step_of(e, number, e->nonfinite_at));
		return;
	}
	if (e->alike) {
		rg_buf_str(text, "they agree to the bit, and it does not");
		return;
	}
	if (fresh->figure == RG_CONFORMAL_SHAPE) {
		rg_buf_str(text, "its shape");
		if (fresh->from && !e->series->records)
			rg_buf_printf(text, ", from %s %s on", word,
				      step_of(e, number, fresh->from));
	} else if (fresh->figure == RG_CONFORMAL_STEP) {
		rg_buf_printf(text, "one %s: %s", word, step_of(e, number, fresh->from));
	} else {
		rg_buf_str(text, "its mean");
	}
	if (verdict->beyond >= 0.05 && isfinite(verdict->beyond))
		rg_buf_printf(text, ", %.2g times their range beyond all of them", verdict->beyond);
}

/* By how many runs more p could come down to the level. */
static size_t runs_missing(size_t runs, double level)
{
	size_t needed = rg_runs_needed(level);
	return needed > runs ? needed - runs : 0;
}

static void decide(rg_verdict *out, const evidence *e, double level)
{
	const rg_conformal_run *fresh = &e->ranks[e->series->run_count];
	size_t n = e->series->run_count;
	bool first = fresh->rank == 1;

	out->bound = rg_rank_bound(n);
	out->p = (double)fresh->rank * out->bound;
	out->mean_p = (double)fresh->mean_rank * out->bound;
	out->beyond = e->nonfinite ? INFINITY : beyond(e);
	out->low = INFINITY;
	out->high = -INFINITY;
	for (size_t r = 0; r < n; r++) {
		out->low = fmin(out->low, e->ranks[r].mean);
		out->high = fmax(out->high, e->ranks[r].mean);
	}
	if (!isfinite(out->low))
		out->low = out->high = NAN;
	if (e->series->drifts)
		out->bound = out->p = out->mean_p = NAN;
	if (e->equal)
		out->kind = RG_VERDICT_WITHIN;
	else if (e->nonfinite || out->p <= level * (1 + 1e-12))
		out->kind = RG_VERDICT_OUTSIDE;
	else if (!first)
		out->kind = RG_VERDICT_WITHIN;
	else if (out->beyond >= CLEARLY && isfinite(out->beyond))
		out->kind = RG_VERDICT_OUTSIDE;
	else
		out->kind = RG_VERDICT_INCONCLUSIVE;
}

static void put_text(rg_buf *text, const rg_noise_model *model, const evidence *e,
		     const rg_verdict *verdict, double level)
{
	char percent[RG_PERCENT_SIZE];
	switch (verdict->kind) {
	case RG_VERDICT_WITHIN:
		rg_buf_str(text, e->equal ? "equal to the bit to all of " : "inside the range of ");
		put_runs(text, model, e->series);
		return;
	case RG_VERDICT_OUTSIDE:
		rg_buf_str(text, "outside the range of ");
		break;
	default:
		rg_buf_str(text, "inconclusive: beyond all of ");
		break;
	}
	put_runs(text, model, e->series);
	rg_buf_str(text, ": ");
	put_figure(text, e, verdict);
	if (e->series->drifts) {
		rg_buf_str(text, "; the runs drift, so no bound is given");
		return;
	}
	rg_percent_at_most(percent, verdict->p);
	rg_buf_printf(text, "; by chance in at most %s %% of cases", percent);
	size_t missing = runs_missing(e->series->run_count, level);
	if (verdict->kind == RG_VERDICT_INCONCLUSIVE && missing)
		rg_buf_printf(text, "; %zu more run%s would decide it", missing,
			      missing == 1 ? "" : "s");
}

/* Each run's rank, for the run as a whole. */
static void keep_ranks(rg_verdict *out, rg_arena *arena, const evidence *e)
{
	size_t n = e->series->run_count, *ranks;
	ranks = rg_arena_alloc(arena, (n + 1) * sizeof(*ranks));
	for (size_t r = 0; r <= n; r++)
		ranks[r] = e->ranks[r].rank ? e->ranks[r].rank : n + 1;
	out->ranks = ranks;
	out->ranked_runs = e->series->runs;
}

static rg_error *judge(rg_verdict *out, rg_arena *arena, rg_buf *text, const rg_noise_model *model,
		       double level, const rg_noise_series *series, const rg_metric *metric,
		       double near_zero)
{
	evidence e = {.series = series};
	bool found;
	rg_error *err = collect(&e, &found, metric, near_zero);

	if (!err && !found) {
		rg_buf_printf(text, "unmeasured: other %s than in the noise model",
			      rg_step_word(metric->records, false));
	} else if (!err && !e.equal && !e.alike && !e.nonfinite &&
		   (!e.step_count || isnan(e.ranks[series->run_count].mean))) {
		rg_buf_str(text,
			   "unmeasured: the runs' median is zero or not finite at every step");
	} else if (!err) {
		out->runs = series->run_count;
		/* Of zeros that became something else no figure knows. */
		if (e.alike && !e.equal && !e.nonfinite)
			e.ranks[series->run_count].rank = 1;
		decide(out, &e, level);
		put_text(text, model, &e, out, level);
		if (!series->drifts)
			keep_ranks(out, arena, &e);
	}
	free(e.values);
	free(e.steps);
	free(e.ranks);
	return err;
}

rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena, const rg_noise_model *model,
			 double level, const char *file, const rg_metric *metric, double near_zero)
{
	const rg_noise_series *series = rg_noise_model_find(model, file, metric->name);
	rg_buf text;
	*out = (rg_verdict){.kind = RG_VERDICT_UNMEASURED,
			    .bound = NAN,
			    .p = NAN,
			    .mean_p = NAN,
			    .beyond = NAN,
			    .low = NAN,
			    .high = NAN};

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_error *err = NULL;
	if (series)
		err = judge(out, arena, &text, model, level, series, metric, near_zero);
	else
		rg_buf_str(&text, "unmeasured: not in the noise model");
	if (!err)
		err = rg_buf_check(&text, "verdict");
	if (!err)
		out->text = rg_arena_text(arena, text.data);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_noise_judge_rows(void *context, rg_comparison *comparison, const rg_golden *fresh)
{
	const rg_noise_judge_context *judge = context;
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];

	for (size_t i = 0; i < file->row_count; i++) {
		rg_row *row = &comparison->rows[file->first_row + i];
		const rg_metric *metric = rg_golden_find(fresh, row->metric);

		if (metric)
			RG_TRY(rg_noise_judge(&row->verdict, &comparison->arenas[0], judge->model,
					      judge->level, row->file, metric, row->near_zero));
	}
	return NULL;
}
