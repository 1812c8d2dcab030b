/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include "base/memory.h"
#include "base/order.h"
#include "audit/conformal.h"
#include "golden/records.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The model's runs and, as the last of them, the new values or the golden's; all finite. */
typedef struct {
	rg_arena arena; /* of what follows */
	const rg_noise_series *series;
	rg_noise_content content; /* the series' */
	double *values;           /* run by run */
	size_t *steps; /* the series' steps that they are of: where all runs are finite */
	bool *has;     /* by step of the series: the new side has it */
	size_t step_count, fresh_count; /* of these, and of all that the new side has */
	double usual;
	rg_middle *middles; /* by step of these, of the runs that are ranked */
	rg_conformal_run *ranks;
	bool nonfinite; /* the new ones, at a step where all runs are finite */
	size_t nonfinite_at;
	bool equal, alike; /* the new ones to all runs; the runs to each other; to the bit */
	bool on_trend;     /* past all runs, which drift, but no further off their trend */
} evidence;

static void evidence_release(evidence *e)
{
	rg_arena_release(&e->arena);
}

RG_ORDER(by_number, int64_t, RG_BY(*x, *y));

/* Finds a series' value of a step, or of a record's place. */
static bool find_value(const rg_metric *metric, int64_t step, size_t *at)
{
	if (!metric->steps) {
		*at = (size_t)step;
		return step >= 0 && (uint64_t)step < metric->count;
	}
	const int64_t *found =
		bsearch(&step, metric->steps, metric->count, sizeof(step), by_number);
	*at = found ? (size_t)(found - metric->steps) : 0;
	return found != NULL;
}

/* Finds its value of the series' step, or of its record, wherever that is now. */
static bool find_step(const rg_noise_content *content, const rg_metric *metric, size_t step,
		      size_t *at)
{
	size_t place;
	if (!content->records)
		return find_value(metric, content->steps[step], at);
	return rg_records_find(metric->records, content->records->names[step], &place) &&
	       find_value(metric, (int64_t)place, at);
}

/* The values of the steps that it has in common with the series; *any: there are some. */
static rg_error *read_side(double *out, bool *any, evidence *e, const rg_metric *metric)
{
	*any = false;
	memset(e->has, false, e->series->count);
	if (metric->kind != RG_METRIC_SERIES || !metric->records != !e->content.records)
		return NULL;
	RG_AUTO_FREE double *values = rg_malloc((metric->count + 1) * sizeof(*values));
	RG_TRY(rg_metric_read(metric, 0, metric->count, values));
	for (size_t i = 0, at; i < e->series->count; i++) {
		e->has[i] = find_step(&e->content, metric, i, &at);
		*any |= e->has[i];
		if (e->has[i])
			out[i] = values[at];
	}
	return NULL;
}

/* Keeps the common steps at which all of the model's runs are finite, and closes the others up. */
static void keep_finite(evidence *e)
{
	size_t n = e->series->run_count, count = e->series->count, kept = 0;
	for (size_t r = 0; r < n; r++)
		for (size_t s = 0; s < count; s++)
			e->has[s] &= isfinite(e->values[r * count + s]) != 0;
	for (size_t s = 0; s < count; s++) {
		if (!e->has[s])
			continue;
		if (!isfinite(e->values[n * count + s]) && !e->nonfinite) {
			e->nonfinite = true;
			e->nonfinite_at = s;
		}
		e->steps[kept++] = s;
	}
	for (size_t r = 0; kept < count && r <= n; r++)
		for (size_t s = 0; s < kept; s++)
			e->values[r * kept + s] = e->values[r * count + e->steps[s]];
	e->step_count = kept;
}

static void compare_bits(evidence *e)
{
	const double *fresh = e->values + e->series->run_count * e->step_count;
	const size_t bytes = e->step_count * sizeof(*fresh);
	e->alike = e->equal = true;
	for (const double *run = e->values; run < fresh; run += e->step_count) {
		e->alike &= !memcmp(run, e->values, bytes);
		e->equal &= !memcmp(run, fresh, bytes);
	}
}

/* Among so many runs that agree to the bit, the new one has the place that it has among all of
 * them, and so have the others: rg_conformal_clearly() learns nothing from more. */
enum { ALIKE_ENOUGH = 4 };

static size_t count_ranked(const evidence *e)
{
	const size_t n = e->series->run_count;
	return e->alike && n > ALIKE_ENOUGH ? ALIKE_ENOUGH : n;
}

static void find_middles(evidence *e)
{
	const size_t ranked = count_ranked(e), steps = e->step_count;
	double *column = rg_arena_alloc(&e->arena, ranked * sizeof(*column));
	e->middles = rg_arena_alloc(&e->arena, steps * sizeof(*e->middles));
	for (size_t s = 0; s < steps; s++) {
		for (size_t r = 0; r < ranked; r++)
			column[r] = e->values[r * steps + s];
		e->middles[s] = rg_middle_find(column, ranked);
	}
}

/* The ranks among the runs; a run that is not finite is further out than any. */
static void rank(evidence *e, double near_zero)
{
	const size_t n = e->series->run_count, ranked = count_ranked(e), left_out = n - ranked;
	if (e->nonfinite) {
		memset(e->ranks, 0, (n + 1) * sizeof(*e->ranks));
		e->ranks[n] = (rg_conformal_run){.score = INFINITY, .mean = NAN, .rank = 1};
		e->usual = 0;
		return;
	}
	rg_conformal_rank_last(e->ranks + left_out, &e->usual, e->values + left_out * e->step_count,
			       ranked + 1, e->step_count, near_zero, e->middles);
	for (size_t r = 0; r < left_out; r++)
		e->ranks[r] = e->ranks[left_out];
	if (e->ranks[n].rank > 1)
		e->ranks[n].rank += left_out;
	/* No figure shows a difference that is too near to zero. */
	if (e->alike && !e->equal && e->ranks[n].rank > 1) {
		e->ranks[n].score = DBL_MIN;
		e->ranks[n].rank = 1;
	}
}

/* Takes the trend of drifting runs out of all values, also the new ones, for which it goes on by
 * one run: it is a share of each step's median, the same at all steps. */
static void take_trend_out(evidence *e, double near_zero)
{
	size_t n = e->series->run_count, steps = e->step_count, counted = 0;
	double *centres = rg_arena_alloc(&e->arena, (steps + 2 * n + 1) * sizeof(*centres));
	double *means = centres + steps, *scratch = means + n;
	for (size_t s = 0; s < steps; s++) {
		for (size_t r = 0; r < n; r++)
			scratch[r] = e->values[r * steps + s];
		centres[s] = rg_median(scratch, n);
		if (fabs(centres[s]) < near_zero)
			centres[s] = 0;
		counted += centres[s] != 0;
	}
	for (size_t r = 0; r < n; r++) {
		rg_sum sum = {0, 0};
		for (size_t s = 0; s < steps; s++)
			if (centres[s] != 0)
				rg_sum_add(&sum, e->values[r * steps + s] / centres[s] - 1);
		means[r] = counted ? rg_sum_mean(&sum, counted) : 0;
	}
	/* The slope is the median one of the pairs of runs that are half of them apart (Theil 1950,
	 * the incomplete method). */
	size_t apart = (n + 1) / 2, pairs = 0;
	for (; pairs + apart < n; pairs++)
		scratch[pairs] = (means[pairs + apart] - means[pairs]) / (double)apart;
	double slope = pairs ? rg_median(scratch, pairs) : 0;
	for (size_t r = 0; r <= n; r++)
		for (size_t s = 0; s < steps; s++)
			e->values[r * steps + s] -= centres[s] * slope *
						    ((double)r - (double)(n - 1) / 2);
}

static rg_error *collect(evidence *e, bool *found, const rg_noise_model *model,
			 const rg_metric *metric, double near_zero)
{
	size_t n = e->series->run_count, count = e->series->count;
	RG_TRY(rg_noise_read(&e->content, &e->values, 1, &e->arena, model, e->series));
	e->steps = rg_arena_alloc(&e->arena, count * sizeof(*e->steps));
	e->has = rg_arena_alloc(&e->arena, count * sizeof(*e->has));
	e->ranks = rg_arena_alloc(&e->arena, (n + 1) * sizeof(*e->ranks));
	RG_TRY(read_side(e->values + n * count, found, e, metric));
	if (!*found)
		return NULL;
	keep_finite(e);
	compare_bits(e);
	if (!e->step_count)
		return NULL;
	find_middles(e);
	rank(e, near_zero);
	/* The trend of drifting runs matters only to a run that is past all of them. */
	if (e->series->drifts && !e->nonfinite && !e->equal && e->ranks[n].rank == 1) {
		take_trend_out(e, near_zero);
		find_middles(e);
		rank(e, near_zero);
		e->on_trend = e->ranks[n].rank > 1;
	}
	return NULL;
}

/* Says what the runs have in common, if it is known: a group may be those of no known branch. */
static const char *common_text(const rg_noise_model *model, const rg_audit_run *run)
{
	if (model->grouping == RG_BY_COMMIT && *run->commit)
		return "same commit, ";
	if (model->grouping == RG_BY_BRANCH && *run->branch)
		return "same branch, ";
	return "";
}

/* "24 measured runs (same branch, 2026-04-02 … 2026-05-01)": days, or ids if no time is known. */
static void append_runs(rg_buf *text, const rg_noise_model *model, const evidence *e)
{
	const rg_noise_series *series = e->series;
	const rg_audit_run *first = &model->runs[series->runs[0]];
	const rg_audit_run *last = &model->runs[series->runs[series->run_count - 1]];
	bool days = rg_audit_run_has_day(first) && rg_audit_run_has_day(last);
	const char *from = days ? first->when : first->id, *to = days ? last->when : last->id;
	size_t length = days ? strlen("2026-04-02") : SIZE_MAX;

	rg_buf_printf(text, "%zu measured run%s (%s", series->run_count,
		      series->run_count == 1 ? "" : "s", common_text(model, first));
	rg_buf_add(text, from, strnlen(from, length));
	if (strncmp(from, to, length) != 0) {
		rg_buf_str(text, " … ");
		rg_buf_add(text, to, strnlen(to, length));
	}
	const char *steps = rg_step_word(e->content.records, false);
	if (e->step_count < series->count)
		rg_buf_printf(text, ", %zu of %zu %s", e->step_count, series->count, steps);
	else if (e->step_count < e->fresh_count)
		rg_buf_printf(text, ", %zu of its %zu %s", e->step_count, e->fresh_count, steps);
	rg_buf_char(text, ')');
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
	return e->content.records ? rg_step_name(e->content.records, (int64_t)step, number)
				  : rg_step_name(NULL, e->content.steps[step], number);
}

/* "mean, 5.2 times their range away", "shape from step 20 on", "step 37" */
static void append_figure(rg_buf *text, const evidence *e, const rg_verdict *verdict)
{
	const rg_conformal_run *fresh = &e->ranks[e->series->run_count];
	const char *word = rg_step_word(e->content.records, true);
	char number[RG_STEP_TEXT];
	if (e->nonfinite) {
		rg_buf_printf(text, "not finite at %s %s, unlike the runs", word,
			      step_of(e, number, e->nonfinite_at));
		return;
	}
	if (e->alike) {
		rg_buf_str(text, e->series->run_count > 1 ? "different, and the runs are equal"
							  : "different");
		return;
	}
	if (fresh->figure == RG_CONFORMAL_SHAPE) {
		rg_buf_str(text, "shape");
		if (fresh->from && !e->content.records)
			rg_buf_printf(text, fresh->before ? " up to %s %s" : " from %s %s on", word,
				      step_of(e, number, fresh->from - fresh->before));
	} else if (fresh->figure == RG_CONFORMAL_STEP) {
		rg_buf_printf(text, "%s %s", word, step_of(e, number, fresh->from));
	} else {
		rg_buf_str(text, fresh->figure == RG_CONFORMAL_MEAN ? "mean" : "slope");
	}
	if (verdict->beyond >= 0.05 && isfinite(verdict->beyond))
		rg_buf_printf(text, ", %.*g times their range away", verdict->beyond < 100 ? 2 : 6,
			      verdict->beyond < 100 ? verdict->beyond : round(verdict->beyond));
}

static void decide(rg_verdict *out, const evidence *e, double level)
{
	const rg_conformal_run *fresh = &e->ranks[e->series->run_count];
	size_t n = e->series->run_count;
	bool first = fresh->rank == 1;
	out->bound = rg_rank_bound(n);
	out->p = (double)fresh->rank * out->bound;
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
		out->bound = out->p = NAN;
	if (e->equal)
		out->kind = RG_VERDICT_WITHIN;
	else if (e->nonfinite || out->p <= level * (1 + 1e-12))
		out->kind = RG_VERDICT_OUTSIDE;
	else if (!first)
		out->kind = RG_VERDICT_WITHIN;
	else if (out->beyond >= rg_conformal_clearly(n) && isfinite(out->beyond))
		out->kind = RG_VERDICT_OUTSIDE;
	else
		out->kind = RG_VERDICT_INCONCLUSIVE;
}

/* "outside all 24 measured runs (…)", "among the 2 farthest of it and 24 measured runs (…)" */
static void append_place(rg_buf *text, const rg_noise_model *model, const evidence *e)
{
	size_t place = e->ranks[e->series->run_count].rank;
	if (place == 1)
		rg_buf_str(text, e->series->run_count > 1 ? "outside all " : "outside ");
	else
		rg_buf_printf(text, "among the %zu farthest of it and ", place);
	append_runs(text, model, e);
}

static void append_text(rg_buf *text, const rg_noise_model *model, const evidence *e,
			const rg_verdict *verdict, double level)
{
	size_t needed = rg_runs_needed(level), runs = e->series->run_count;
	if (verdict->kind == RG_VERDICT_WITHIN) {
		rg_buf_str(text, e->on_trend ? "on the trend of "
				 : !e->equal ? "inside the range of "
				 : runs > 1  ? "equal to all "
					     : "equal to ");
		append_runs(text, model, e);
		return;
	}
	if (verdict->kind != RG_VERDICT_OUTSIDE)
		rg_buf_str(text, "inconclusive: ");
	append_place(text, model, e);
	rg_buf_str(text, ": ");
	append_figure(text, e, verdict);
	if (e->series->drifts) {
		rg_buf_str(text, " (the runs drift, and it is off their trend: chance not known)");
		return;
	}
	if (verdict->kind == RG_VERDICT_INCONCLUSIVE && needed > runs)
		rg_buf_printf(text, " (not enough runs: %zu measured, %zu needed)", runs, needed);
	else
		rg_buf_printf(text, " (by chance in at most %zu of %zu runs)", e->ranks[runs].rank,
			      runs + 1);
}

/* Each run's score, for the run as a whole. */
static void keep_scores(const double **out, rg_arena *arena, const evidence *e)
{
	size_t n = e->series->run_count;
	double *scores = rg_arena_alloc(arena, (n + 1) * sizeof(*scores));
	for (size_t r = 0; r <= n; r++)
		scores[r] = e->ranks[r].score;
	*out = scores;
}

/* The golden in the new run's place, at the same steps; nothing where it lacks one of them. */
static rg_error *judge_golden(rg_verdict *out, rg_arena *arena, evidence *e, const rg_metric *old,
			      double near_zero)
{
	size_t count = e->series->count;
	double *last = e->values + e->series->run_count * e->step_count;
	RG_AUTO_FREE double *values = rg_calloc(count + 1, sizeof(*values));
	bool any;
	RG_TRY(read_side(values, &any, e, old));
	e->nonfinite = false;
	for (size_t s = 0; s < e->step_count; s++) {
		if (!e->has[e->steps[s]])
			return NULL;
		values[s] = values[e->steps[s]];
		e->nonfinite |= !isfinite(values[s]);
	}
	const size_t bytes = e->step_count * sizeof(*last);
	if (memcmp(last, values, bytes) != 0) {
		memcpy(last, values, bytes);
		compare_bits(e);
		rank(e, near_zero);
	}
	out->golden_usual = e->usual;
	keep_scores(&out->golden_scores, arena, e);
	return NULL;
}

static rg_error *judge_found(rg_verdict *out, rg_arena *arena, rg_buf *text,
			     const rg_noise_judge_context *judge, evidence *e, const rg_metric *old,
			     double near_zero)
{
	out->runs = e->series->run_count;
	out->steps = e->step_count;
	decide(out, e, judge->level);
	const size_t ranked = count_ranked(e);
	if (!e->nonfinite)
		rg_conformal_off(&out->seen, &out->off,
				 e->values + (out->runs - ranked) * out->steps, ranked + 1,
				 out->steps, near_zero, e->middles);
	append_text(text, judge->model, e, out, judge->level);
	if (e->series->drifts)
		return NULL;
	out->usual = e->usual;
	out->ranked_runs = e->series->runs;
	keep_scores(&out->scores, arena, e);
	if (!e->nonfinite) {
		size_t n = e->series->run_count + 1;
		double *means = rg_arena_alloc(arena, 3 * n * sizeof(*means)), *sizes = means + n;
		for (size_t r = 0; r < n; r++)
			means[r] = sizes[n + r] = isnan(e->ranks[r].mean) ? 0 : e->ranks[r].mean;
		double median = rg_median(sizes + n, n);
		for (size_t r = 0; r < n; r++) {
			means[r] = fabs(means[r] - median);
			sizes[r] = e->ranks[r].size;
		}
		out->means = means;
		out->sizes = sizes;
	}
	if (out->kind != RG_VERDICT_WITHIN && e->ranks[out->runs].rank == 1) {
		/* Rows that are pooled say where and by what it is out. */
		rg_buf place = rg_buf_of(RG_BUF_ANY), figure = rg_buf_of(RG_BUF_ANY);
		append_place(&place, judge->model, e);
		append_figure(&figure, e, out);
		out->place = rg_buf_keep(&place, arena);
		out->figure = rg_buf_keep(&figure, arena);
	}
	return old ? judge_golden(out, arena, e, old, near_zero) : NULL;
}

static rg_error *judge_series(rg_verdict *out, rg_arena *arena, rg_buf *text,
			      const rg_noise_judge_context *judge, const rg_noise_series *series,
			      const rg_metric *metric, const rg_metric *old, double near_zero)
{
	RG_AUTO(evidence) e = {.series = series, .fresh_count = metric->count};
	bool found;
	RG_TRY(collect(&e, &found, judge->model, metric, near_zero));
	if (found && e.step_count)
		return judge_found(out, arena, text, judge, &e, old, near_zero);
	if (!found)
		rg_buf_printf(text, "unmeasured: the noise model has other %s",
			      rg_step_word(metric->records, false));
	else
		rg_buf_printf(text, "unmeasured: no %s at which all measured runs are finite",
			      rg_step_word(metric->records, true));
	return NULL;
}

rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena, const rg_noise_judge_context *judge,
			 const char *file, const rg_metric *metric, const rg_metric *old,
			 double near_zero)
{
	const rg_noise_series *series = rg_noise_model_find(judge->model, file, metric->name);
	rg_buf text = rg_buf_of(RG_BUF_ANY);
	*out = (rg_verdict){.kind = RG_VERDICT_UNMEASURED,
			    .bound = NAN,
			    .p = NAN,
			    .beyond = NAN,
			    .low = NAN,
			    .high = NAN,
			    .off = NAN,
			    .seen = NAN};
	rg_error *err = NULL;
	if (series)
		err = judge_series(out, arena, &text, judge, series, metric, old, near_zero);
	else
		rg_buf_str(&text, "unmeasured: not in the noise model");
	out->text = rg_buf_keep(&text, arena);
	return err;
}

static rg_error *judge_row(const rg_noise_judge_context *judge, rg_comparison *comparison,
			   rg_row *row, const rg_golden *old, const rg_golden *fresh)
{
	const rg_metric *metric = rg_golden_find(fresh, row->metric);
	if (!metric)
		return NULL;
	return rg_noise_judge(&row->verdict, &comparison->arenas[0], judge, row->file, metric,
			      old ? rg_golden_find(old, row->metric) : NULL, row->near_zero);
}

rg_error *rg_noise_judge_rows(const rg_noise_judge_context *judge, rg_comparison *comparison,
			      const rg_golden *old, const rg_golden *fresh)
{
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	for (size_t i = 0; i < file->row_count; i++)
		RG_TRY(judge_row(judge, comparison, &comparison->rows[file->first_row + i], old,
				 fresh));
	for (size_t i = comparison->gap_count; i > 0; i--) {
		rg_row *gap = &comparison->gaps[i - 1];
		if (gap->file_index != comparison->file_count - 1)
			break;
		if (gap->gap == RG_GAP_NO_STEPS)
			RG_TRY(judge_row(judge, comparison, gap, old, fresh));
	}
	return NULL;
}
