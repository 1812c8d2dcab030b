/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include "compare/compare.h"
#include "golden/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

/* What a new series is against the centre. */
typedef struct {
	double deviation; /* NaN: no step counts */
	bool identical;
	bool nonfinite; /* where the centre is not */
	int64_t nonfinite_step;
} measured;

static bool same_steps(const rg_noise_series *series, const rg_metric *metric)
{
	size_t i;

	if (metric->records)
		return false;
	if (metric->kind != RG_METRIC_SERIES || metric->count != series->count)
		return false;
	if (metric->steps)
		return !memcmp(metric->steps, series->steps,
			       metric->count * sizeof(*metric->steps));
	for (i = 0; i < series->count; i++)
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

/* A table's values for the model's records, wherever they are now; *out, which is the caller's to
 * free, is NULL where one of them is missing. Records that the model has not are no matter. */
static rg_error *gather(double **out, const rg_noise_series *series, const rg_metric *metric)
{
	double *values;
	size_t i, place, at;

	*out = NULL;
	if (!metric->records || metric->kind != RG_METRIC_SERIES)
		return NULL;
	values = malloc((series->count + 1) * sizeof(*values));
	if (!values)
		return rg_error_nomem();
	for (i = 0; i < series->count; i++) {
		rg_error *err;

		if (!rg_records_find(metric->records, series->records->names[i], &place) ||
		    !find_value(metric, place, &at)) {
			free(values);
			return NULL;
		}
		err = rg_metric_read(metric, at, 1, &values[i]);
		if (err) {
			free(values);
			return err;
		}
	}
	*out = values;
	return NULL;
}

static bool same_value(double a, double b)
{
	uint64_t bits_a, bits_b;

	if (isnan(a))
		return !isfinite(b);
	memcpy(&bits_a, &a, sizeof(bits_a));
	memcpy(&bits_b, &b, sizeof(bits_b));
	return bits_a == bits_b;
}

/* `gathered`: the values, or NULL where the metric has them in the series' order. */
static rg_error *measure(measured *out, const rg_noise_series *series, const rg_metric *metric,
			 const double *gathered)
{
	double block[BLOCK];
	rg_sum sum = {0, 0};
	size_t first, i, counted = 0;

	*out = (measured){.identical = true};
	for (first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;

		const double *values = gathered ? gathered + first : block;

		if (!gathered)
			RG_TRY(rg_metric_read(metric, first, count, block));
		for (i = 0; i < count; i++) {
			double centre = series->centre[first + i];

			out->identical &= same_value(centre, values[i]);
			if (isnan(centre))
				continue;
			if (!isfinite(values[i]) && !out->nonfinite) {
				out->nonfinite = true;
				out->nonfinite_step = series->steps[first + i];
			}
			if (fabs(centre) < RG_NEAR_ZERO)
				continue;
			rg_sum_add(&sum, (centre - values[i]) / centre);
			counted++;
		}
	}
	out->deviation = counted ? rg_sum_mean(&sum, counted) : NAN;
	return NULL;
}

/* What the runs have in common, where it is known: a group may be those of no known branch. */
static const char *common_text(const rg_noise_model *model, const rg_audit_run *run)
{
	if (model->grouping == RG_GROUP_COMMIT && *run->commit)
		return "same commit, ";
	if (model->grouping == RG_GROUP_BRANCH && *run->branch)
		return "same branch, ";
	return "";
}

/* "24 runs (same branch, 2026-04-02 … 2026-05-01)": days, or ids where no time is known. */
static void put_range(rg_buf *text, const rg_noise_model *model, const rg_noise_series *series)
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

static void put_outside(rg_buf *text, const rg_noise_model *model, const rg_noise_series *series,
			const measured *found)
{
	char number[RG_STEP_TEXT];
	double beyond = found->deviation < series->low ? series->low - found->deviation
						       : found->deviation - series->high;
	char percent[RG_PERCENT_SIZE];

	rg_buf_str(text, "outside the range of ");
	put_range(text, model, series);
	if (found->nonfinite)
		rg_buf_printf(text, ": not finite at %s %s, where they are",
			      rg_step_word(series->records, true),
			      rg_step_name(series->records, found->nonfinite_step, number));
	else if (series->deterministic && isnan(found->deviation))
		rg_buf_str(text, ": they agree to the bit, and it does not");
	else if (series->deterministic)
		rg_buf_printf(text, ": they agree to the bit; avg_rel_diff from them is %.3g",
			      found->deviation);
	else
		rg_buf_printf(text,
			      ": avg_rel_diff from their median is %.3g, theirs %.3g … %.3g: "
			      "%.3g beyond",
			      found->deviation, series->low, series->high, beyond);
	if (series->bounded) {
		rg_percent_at_most(percent, rg_range_bound(series->run_count));
		rg_buf_printf(text, "; a run is outside by chance in at most %s %% of cases",
			      percent);
	} else {
		rg_buf_str(text, "; they differ too widely to say how often a run is so by chance");
	}
}

static bool is_within(const rg_noise_series *series, const measured *found)
{
	if (found->identical)
		return true;
	return !found->nonfinite && !series->deterministic && found->deviation >= series->low &&
	       found->deviation <= series->high;
}

static rg_error *judge_measured(rg_verdict *out, rg_buf *text, const rg_noise_model *model,
				double level, const rg_noise_series *series,
				const rg_metric *metric, const double *gathered)
{
	double bound = rg_range_bound(series->run_count);
	measured found;

	out->runs = series->run_count;
	out->bound = series->bounded ? bound : NAN;
	out->low = series->low;
	out->high = series->high;
	if (bound > level * (1 + 1e-12)) {
		out->kind = RG_VERDICT_INCONCLUSIVE;
		rg_buf_printf(text,
			      "inconclusive: %zu run%s too few for a level of %.3g %%; %zu are "
			      "needed",
			      series->run_count, series->run_count == 1 ? " is" : "s are",
			      100 * level, rg_runs_needed(level));
		return NULL;
	}
	RG_TRY(measure(&found, series, metric, gathered));
	if (is_within(series, &found)) {
		out->kind = RG_VERDICT_WITHIN;
		rg_buf_str(text, "inside the range of ");
		put_range(text, model, series);
	} else if (isnan(found.deviation) && !found.nonfinite && !series->deterministic) {
		out->kind = RG_VERDICT_UNMEASURED;
		rg_buf_str(text,
			   "unmeasured: the runs' median is zero or not finite at every step");
	} else {
		out->kind = RG_VERDICT_OUTSIDE;
		put_outside(text, model, series, &found);
	}
	return NULL;
}

rg_error *rg_noise_judge(rg_verdict *out, rg_arena *arena, const rg_noise_model *model,
			 double level, const char *file, const rg_metric *metric)
{
	const rg_noise_series *series = rg_noise_model_find(model, file, metric->name);
	double *gathered = NULL;
	rg_error *err = NULL;
	rg_buf text;

	*out = (rg_verdict){RG_VERDICT_UNMEASURED, 0, NAN, NAN, NAN, NULL};
	rg_buf_init(&text, RG_BUF_TEXT);
	if (series && series->records)
		err = gather(&gathered, series, metric);
	if (err) {
		rg_buf_release(&text);
		return err;
	}
	if (!series) {
		rg_buf_str(&text, "unmeasured: not in the noise model");
	} else if (!gathered && (series->records || !same_steps(series, metric))) {
		rg_buf_printf(&text, "unmeasured: other %s than in the noise model",
			      rg_step_word(metric->records, false));
	} else {
		err = judge_measured(out, &text, model, level, series, metric, gathered);
	}
	free(gathered);
	if (!err)
		err = rg_buf_check(&text, "verdict");
	if (!err)
		out->text = rg_arena_copy(arena, text.data, text.length);
	if (!err && !out->text)
		err = rg_error_nomem();
	rg_buf_release(&text);
	return err;
}

rg_error *rg_noise_judge_rows(void *context, rg_comparison *comparison, const rg_golden *fresh)
{
	const rg_noise_judge_context *judge = context;
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	size_t i;

	for (i = 0; i < file->row_count; i++) {
		rg_row *row = &comparison->rows[file->first_row + i];
		const rg_metric *metric = rg_golden_find(fresh, row->metric);

		if (metric)
			RG_TRY(rg_noise_judge(&row->verdict, &comparison->arenas[0], judge->model,
					      judge->level, row->file, metric));
	}
	return NULL;
}
