/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/series_statistics.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/thread.h"
#include "compare/direction.h"
#include "compare/meant_pair.h"
#include "compare/pair_figures.h"
#include "compare/record_texts.h"
#include "compare/row.h"
#include "compare/series_walk.h"
#include "golden/golden.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The figures of two tensors that people read: norms, SNR, cosine, the worst element.
 *
 * Squares of values beyond some 1e75, or under 1e-68, leave the range of doubles. Such tensors are
 * read again, multiplied by powers of two, as BLAS's dnrm2 does it:
 *
 *	if (tensor_powers_find(&powers, &figures)) {
 *		… figures of both sides times 2^powers.err: `err` …
 *		… figures of each side times its own power: `refs` …
 *	}
 *	stats = tensor_stats_make(arena, &figures, &powers, &err, &refs, old, fresh)
 */
typedef struct {
	int err, old, fresh; /* all 0: the figures are as good as they can be */
} tensor_powers;

/* Sums of squares between these, of however many elements, have lost nothing that counts, and their
 * ratios are doubles. */
#define SMALL 0x1p-450
#define LARGE 0x1p500

/* Times 2 to this power, the square of a value beyond 2^250 or under 2^-225 is far from both ends
 * of the doubles. */
enum { STEP = 600 };

static int power_for(double sum)
{
	if (!(sum <= LARGE))
		return -STEP;
	return sum < SMALL ? STEP : 0;
}

static bool tensor_powers_find(tensor_powers *out, const rg_pair_figures *figures)
{
	*out = (tensor_powers){
		.err = figures->max_abs > 0 ? power_for(rg_sum_total(&figures->sums[RG_SUM_ERR2]))
					    : 0,
		.old = power_for(rg_sum_total(&figures->sums[RG_SUM_REF2])),
		.fresh = power_for(rg_sum_total(&figures->sums[RG_SUM_NEW2])),
	};
	return figures->finite && (out->err || out->old || out->fresh);
}

/* Brings a sum of squares near 1, so that it can be divided, and adds to *power what this takes. */
static double centred(double sum, int *power)
{
	int half = *power && sum > 0 ? ilogb(sum) / 2 : 0;
	*power -= half;
	return ldexp(sum, -2 * half);
}

/*
 * 20 log10(ratio * 2^power). C libraries differ in log10's last bit; this is the same everywhere:
 * by the series of the inverse hyperbolic tangent, with what is lost in each step carried along.
 */
static double decibels(double ratio, int power)
{
	static const double log_e = 0x1.bcb7b1526e50ep-2, log_e_rest = 0x1.95355baaafad3p-57;
	static const double log_2 = 0x1.34413509f7p-2, log_2_rest = 0x1.3fde623e2566bp-43;
	int exponent;
	double m = frexp(ratio, &exponent), series = 0;

	if (!(ratio > 0 && isfinite(ratio)))
		return log10(ratio);
	if (m < M_SQRT1_2) {
		m *= 2;
		exponent--;
	}
	double above = m + 1, s = (m - 1) / above;
	double s_rest = (fma(-s, above, m - 1) - s * (m - (above - 1))) / above;
	for (int i = 27; i > 1; i -= 2)
		series = (series + 1.0 / i) * s * s;
	double tail = s_rest + s * series, most = 2 * s * log_e;
	double most_rest = fma(2 * s, log_e, -most) + 2 * (s * log_e_rest + tail * log_e);
	double whole = (exponent + power) * log_2, sum = whole + most;
	double sum_rest = most - (sum - whole);
	return 20 * (sum + (sum_rest + most_rest + (exponent + power) * log_2_rest));
}

/* `err` and `refs` have the sums; where no power is needed, both are `figures`. The result is in
 * `arena`. */
static const rg_tensor_stats *tensor_stats_make(rg_arena *arena, const rg_pair_figures *figures,
						const tensor_powers *powers,
						const rg_pair_figures *err,
						const rg_pair_figures *refs, const rg_metric *old,
						const rg_metric *fresh)
{
	rg_tensor_stats *stats = rg_arena_alloc(arena, sizeof(*stats));
	tensor_powers by = *powers;
	double n = (double)figures->finite, err2, ref2, new2, product;
	double total = n +
		       (double)(figures->left_out.old_nonfinite + figures->left_out.new_nonfinite);
	char worst[RG_SHAPE_TEXT];

	err2 = centred(rg_sum_total(&err->sums[RG_SUM_ERR2]), &by.err);
	ref2 = centred(rg_sum_total(&refs->sums[RG_SUM_REF2]), &by.old);
	new2 = centred(rg_sum_total(&refs->sums[RG_SUM_NEW2]), &by.fresh);
	product = ldexp(rg_sum_total(&refs->sums[RG_SUM_PRODUCT]),
			by.old - powers->old + by.fresh - powers->fresh);
	stats->count = figures->finite;
	stats->l2 = figures->finite ? ldexp(sqrt(err2), -by.err) : NAN;
	stats->mse = ldexp(err2 / n, -2 * by.err);
	stats->mean_abs = ldexp(rg_sum_total(&err->sums[RG_SUM_ABS_ERR]) / n, -powers->err);
	stats->mean_signed = ldexp(rg_sum_total(&err->sums[RG_SUM_ERR]) / n, -powers->err);
	stats->snr_db = figures->finite ? INFINITY : NAN;
	if (err2 > 0)
		stats->snr_db = decibels(sqrt(new2) / sqrt(err2), by.err - by.fresh);
	/* Divided first, so that equal sides give 1 and not a neighbour of it. */
	stats->cosine = product / ref2 / sqrt(new2 / ref2);
	stats->max_rel = figures->mismatches ? INFINITY : figures->max_rel_any;
	stats->share_differing = (double)figures->differing / total;
	stats->nonfinite_mismatches = figures->mismatches;
	stats->worst = figures->finite ? (size_t)figures->max_abs_at : 0;
	if (old->tensor && fresh->tensor && old->tensor->dtype != fresh->tensor->dtype)
		stats->types = rg_arena_textf(arena, "%s -> %s", rg_dtype_name(old->tensor->dtype),
					      rg_dtype_name(fresh->tensor->dtype));
	stats->old = stats->fresh = NAN;
	if (old->tensor && fresh->tensor && old->count == 1 && fresh->count == 1) {
		rg_tensor_values(old->tensor, 0, 1, &stats->old);
		rg_tensor_values(fresh->tensor, 0, 1, &stats->fresh);
	}
	stats->dimensions = fresh->dimensions;
	rg_unravel(fresh->shape, fresh->dimensions, stats->worst, stats->worst_index);
	if (!figures->finite)
		return stats;
	rg_shape_text(stats->worst_index, stats->dimensions, worst);
	stats->worst_text = rg_arena_text(arena, worst);
	return stats;
}

/* Moves both places on to the next step that both series have; false if there is none. */
static bool next_common(const rg_metric *old, const rg_metric *fresh, size_t *i, size_t *k)
{
	while (*i < old->count && *k < fresh->count) {
		const int64_t left = rg_metric_step(old, *i), right = rg_metric_step(fresh, *k);
		if (left == right)
			return true;
		*i += left < right;
		*k += right < left;
	}
	return false;
}

/* 0 where it is not known. */
static double error_at(const rg_metric *metric, size_t i)
{
	double error = metric->errors ? metric->errors[i] : NAN;
	return isfinite(error) ? error : 0;
}

/* The largest |old - new| of two series' common steps in standard errors of that difference, which
 * the files themselves give (lm-evaluation-harness); NaN where they give none. */
static double standard_errors(const rg_metric *old, const rg_metric *fresh)
{
	double largest = NAN;

	if ((!old->errors && !fresh->errors) || !old->values || !fresh->values)
		return NAN;
	for (size_t i = 0, k = 0; next_common(old, fresh, &i, &k); i++, k++) {
		const double error = hypot(error_at(old, i), error_at(fresh, k));
		if (error > 0)
			largest = fmax(largest,
				       fabs(rg_ratio(old->values[i] - fresh->values[k],
						     old->values[i], fresh->values[k], error)));
	}
	return largest;
}

/* The record that is the most times over its tolerance. */
typedef struct {
	double old, fresh, times;
	int64_t step;
} worst_record;

/* A value that is no longer a number, or that was 0, is off by more than any tolerance. */
static void hold(rg_row_over *over, worst_record *worst, const worst_record *record,
		 double tolerance)
{
	const double size = record->old - record->fresh, bound = tolerance * fabs(record->old);
	const double off = fabs(rg_ratio(size, record->old, record->fresh, record->old));
	if (isnan(tolerance) || !isfinite(record->old) ||
	    (isinf(bound) ? off <= tolerance : fabs(size) <= bound))
		return;
	double times = off / tolerance;
	if (isnan(times))
		times = INFINITY;
	if (!over->count++ || times > worst->times) {
		*worst = *record;
		worst->times = times;
		over->off = off;
		over->tolerance = tolerance;
	}
}

/* Compares each record that both sides have by its own tolerance, which the old side gives
 * (PyTorch's expected_results.csv), and fills in row->over. The tolerance of the new side counts
 * nowhere: it could let itself through. */
static void record_tolerances_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
				   const rg_metric *fresh)
{
	worst_record worst = {0};

	row->over = (rg_row_over){.off = NAN, .tolerance = NAN};
	if (!old->tolerances || !old->values || !fresh->values)
		return;
	for (size_t i = 0, k = 0; next_common(old, fresh, &i, &k); i++, k++) {
		const worst_record record = {.old = old->values[i],
					     .fresh = fresh->values[k],
					     .step = rg_metric_step(old, i)};
		hold(&row->over, &worst, &record, old->tolerances[i]);
	}
	if (row->over.count) {
		char tolerance[RG_DOUBLE_REPR_SIZE], off[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
		rg_buf text = rg_buf_of(RG_BUF_ANY);
		int digits = 2;

		rg_double_repr(row->over.tolerance, tolerance);
		rg_buf_printf(&text, "%s %s: ", rg_step_word(old->records, true),
			      rg_step_name(old->records, worst.step, number));
		if (isfinite(row->over.off)) {
			/* It takes enough digits to differ from the tolerance. */
			do
				snprintf(off, sizeof(off), "%.*g", ++digits, row->over.off);
			while (digits < 17 && !strcmp(off, tolerance));
			rg_buf_printf(&text, "%s off", off);
		} else {
			rg_buf_printf(&text, "%.3g instead of %.3g", worst.fresh, worst.old);
		}
		rg_buf_printf(&text, ", over its tolerance %s", tolerance);
		if (row->over.count > 1)
			rg_buf_printf(&text, ", and %zu more", row->over.count - 1);
		row->over.text = rg_buf_keep(&text, arena);
	}
}

/* Two series that are being compared. */
typedef struct {
	const rg_metric *old, *fresh;
	bool as_tensors; /* by `pair`: they are of one type and shape */
	rg_tensor_pair pair;
	const rg_metric_policy *policy; /* narrowed to the steps that it looks at */
} two_series;

typedef struct {
	rg_pair_figures *figures;
	rg_pair_scratch *scratch;
} sink;

static rg_error *take(void *context, const rg_pair_chunk *chunk)
{
	const sink *s = context;
	rg_pair_figures_add(s->figures, s->scratch, chunk);
	return NULL;
}

static rg_error *walk_series(rg_pair_figures *out, const two_series *sides,
			     const rg_pair_setting *setting)
{
	rg_pair_scratch scratch;
	sink s = {out, &scratch};

	rg_pair_figures_begin(out, &scratch, setting);
	rg_error *err = rg_series_walk(sides->old, sides->fresh, take, &s);
	rg_pair_figures_end(out, &scratch);
	return err;
}

/* So many elements are forgotten at a time, and so many cores gather at once: each has a part of a
 * side in memory. */
enum { FORGET_EACH = 1 << 18, GATHERERS = 2 };

/* A tensor that is being read: workers take segments as they come, and each has its place. A
 * segment is what a core reads at a time, and the unit of the sums' order. */
typedef struct {
	const two_series *sides;
	const rg_pair_setting *setting;
	rg_pair_figures *segments;
	size_t segment; /* elements */
} tensor_state;

/* A side's elements, gathered; NULL where they are read as they lie. */
static unsigned char *gather(const rg_tensor_pair *pair, const rg_tensor *side, size_t from,
			     size_t count)
{
	if (!pair->gathered || side->row_major)
		return NULL;
	unsigned char *gathered = rg_malloc(count * rg_dtype_size(side->dtype));
	rg_tensor_pair_gather(side, from, count, gathered);
	return gathered;
}

static rg_error *add_elements(const tensor_state *w, rg_pair_figures *out, size_t from, size_t end,
			      const unsigned char *old, const unsigned char *fresh)
{
	const rg_tensor_pair *pair = &w->sides->pair;
	unsigned char old_room[RG_CHUNK * RG_DTYPE_SIZE_MAX],
		fresh_room[RG_CHUNK * RG_DTYPE_SIZE_MAX];
	const bool meant = rg_tensors_are_meant(&pair->old, &pair->fresh);
	size_t size = rg_dtype_size(pair->old.dtype), count;
	rg_pair_scratch scratch;
	sink s = {out, &scratch};
	rg_error *err = NULL;

	rg_pair_figures_begin(out, &scratch, w->setting);
	for (size_t at = from; at < end && !err; at += count) {
		rg_pair_chunk chunk = {.dtype = pair->old.dtype,
				       .first_step = (int64_t)at,
				       .permuted = pair->permuted ? pair : NULL};

		chunk.count = count = end - at < RG_CHUNK ? end - at : RG_CHUNK;
		chunk.old = old ? old + (at - from) * size
				: rg_tensor_pair_bytes(pair, &pair->old, at, count, old_room);
		chunk.fresh =
			fresh ? fresh + (at - from) * size
			      : rg_tensor_pair_bytes(pair, &pair->fresh, at, count, fresh_room);
		err = meant ? rg_meant_pairs(pair, &chunk, take, &s) : take(&s, &chunk);
		if ((at + count - from) % FORGET_EACH == 0)
			rg_tensor_pair_forget(pair, at + count - FORGET_EACH, FORGET_EACH);
	}
	rg_pair_figures_end(out, &scratch);
	rg_tensor_pair_forget(pair, end - (end - from) % FORGET_EACH, (end - from) % FORGET_EACH);
	return err;
}

static rg_error *add_segment(void *context, size_t worker, size_t index)
{
	const tensor_state *w = context;
	const rg_tensor_pair *pair = &w->sides->pair;
	size_t from = index * w->segment, count = pair->old.count - from;

	(void)worker;
	count = count < w->segment ? count : w->segment;
	RG_AUTO_FREE unsigned char *old = gather(pair, &pair->old, from, count);
	RG_AUTO_FREE unsigned char *fresh = gather(pair, &pair->fresh, from, count);
	return add_elements(w, &w->segments[index], from, from + count, old, fresh);
}

static rg_error *read_tensors(rg_pair_figures *out, const two_series *sides,
			      const rg_pair_setting *setting)
{
	const size_t segment = rg_tensor_pair_part(&sides->pair);
	const size_t count = (sides->pair.old.count + segment - 1) / segment;
	RG_AUTO_FREE rg_pair_figures *segments = rg_calloc(count + 1, sizeof(*segments));
	tensor_state w = {
		.sides = sides, .setting = setting, .segments = segments, .segment = segment};
	size_t workers = rg_workers_for(count);
	rg_pair_scratch scratch;

	rg_pair_figures_begin(out, &scratch, setting);
	if (sides->pair.gathered && workers > GATHERERS)
		workers = GATHERERS;
	rg_error *err = rg_workers_run(workers, count, add_segment, &w);
	for (size_t i = 0; i < count; i++) {
		if (!err)
			rg_pair_figures_join(out, &segments[i]);
		rg_pair_figures_release(&segments[i]);
	}
	return err;
}

/* `out` is released whatever comes back. */
static rg_error *read_sides(rg_pair_figures *out, const two_series *sides,
			    const rg_pair_setting *setting)
{
	return (sides->as_tensors ? read_tensors : walk_series)(out, sides, setting);
}

static bool same_shape(const rg_metric *old, const rg_metric *fresh)
{
	return old->dimensions && old->dimensions == fresh->dimensions &&
	       !memcmp(old->shape, fresh->shape, old->dimensions * sizeof(old->shape[0]));
}

/* Sums both sides times 2 to these powers. */
static rg_error *read_scaled(rg_pair_figures *out, const two_series *sides, int old_power,
			     int fresh_power, bool scaled)
{
	static const rg_metric_policy no_score = {.kind = RG_POLICY_IGNORE};
	rg_metric_policy policy = no_score;
	rg_pair_setting setting = {.policy = &policy,
				   .old_exponent = old_power,
				   .new_exponent = fresh_power,
				   .scaled = scaled};

	policy.first_step = sides->policy->first_step;
	policy.last_step = sides->policy->last_step;
	policy.near_zero = sides->policy->near_zero;
	return read_sides(out, sides, &setting);
}

static rg_error *set_tensor(rg_row *row, rg_arena *arena, const two_series *sides,
			    const rg_pair_figures *figures)
{
	RG_AUTO(rg_pair_figures) err_figures = {0};
	RG_AUTO(rg_pair_figures) ref_figures = {0};
	tensor_powers powers = {0};

	/* No other type's values are so large or small. */
	if ((sides->as_tensors && rg_dtype_size(sides->pair.old.dtype) < 8 &&
	     !rg_tensors_are_meant(&sides->pair.old, &sides->pair.fresh)) ||
	    !tensor_powers_find(&powers, figures)) {
		row->tensor = tensor_stats_make(arena, figures, &powers, figures, figures,
						sides->old, sides->fresh);
		return NULL;
	}
	RG_TRY(read_scaled(&err_figures, sides, powers.err, powers.err, false));
	RG_TRY(read_scaled(&ref_figures, sides, powers.old, powers.fresh, false));
	row->tensor = tensor_stats_make(arena, figures, &powers, &err_figures, &ref_figures,
					sides->old, sides->fresh);
	return NULL;
}

/* Do values that are all finite have a figure that is not? */
static bool overflows(const rg_pair_figures *f)
{
	bool is_finite = !isinf(f->max_abs) && !isinf(f->max_rel);
	for (size_t k = RG_SUM_RELATIVE; k < RG_SUMS; k++)
		is_finite &= isfinite(rg_sum_total(&f->sums[k]));
	return !is_finite;
}

/* The mean of the sum's terms, by the scaled ones where it is past the doubles and they are not:
 * what is too far off in both directions must not pass for nothing. */
static double mean_of(const rg_pair_figures *f, const rg_pair_figures *scaled, rg_pair_sum sum)
{
	const double mean = f->counted ? rg_sum_mean(&f->sums[sum], f->counted) : NAN;
	const bool is_relative = sum == RG_SUM_RELATIVE || sum == RG_SUM_ABS_RELATIVE;
	if (!isinf(mean) || !scaled->counted || (is_relative && isinf(f->max_rel)))
		return mean;
	return ldexp(rg_sum_mean(&scaled->sums[sum], f->counted), RG_SCALE_UP);
}

/* Reads both sides once more, scaled, for sums that left the range of doubles, and takes the
 * largest differences from there. `scaled` is released whatever comes back. */
static rg_error *read_overflowing(rg_pair_figures *scaled, rg_pair_figures *f,
				  const two_series *sides)
{
	RG_TRY(read_scaled(scaled, sides, 0, 0, true));
	f->max_rel = scaled->counted ? ldexp(scaled->max_rel, RG_SCALE_UP) : f->max_rel;
	f->max_rel_at = scaled->max_rel_at;
	f->max_rel_any = ldexp(scaled->max_rel_any, RG_SCALE_UP);
	f->max_abs_at = scaled->max_abs_at;
	return NULL;
}

static void set_figures(rg_row *row, const rg_pair_figures *f, const rg_pair_figures *scaled)
{
	double n = f->counted ? (double)f->counted : NAN;
	row->n_steps = f->counted;
	row->left_out = f->left_out;
	row->too_small = f->too_small;
	row->from_zero = f->from_zero;
	row->unscored = f->unscored;
	row->lost = f->lost;
	row->nonfinite = f->left_out.new_nonfinite + f->nonfinite_elsewhere;
	row->avg_rel_diff = mean_of(f, scaled, RG_SUM_RELATIVE);
	row->mean_abs_rel = mean_of(f, scaled, RG_SUM_ABS_RELATIVE);
	row->old_mean = mean_of(f, scaled, RG_SUM_OLD);
	row->new_mean = mean_of(f, scaled, RG_SUM_NEW);
	row->share_above_zero = (double)f->above_zero / n;
	row->max_abs_rel = f->counted ? f->max_rel : NAN;
	row->max_abs_rel_step = f->max_rel_at;
	row->max_abs = f->max_abs > 0 ? f->max_abs : 0;
	row->max_ulps = f->max_ulps;
	row->identical = !f->differs && !f->differs_elsewhere && !f->left_out.old_only &&
			 !f->left_out.new_only;
	row->values_differ = f->differs || f->differs_elsewhere;
	row->first_diff_known = f->differs;
	row->first_diff = f->first_diff;
}

/* Are its levels compared with relative figures of the steps? */
static bool is_step_by_step(const rg_metric_policy *policy)
{
	return policy->kind == RG_POLICY_RELATIVE && policy->aggregate == RG_AGGREGATE_NONE;
}

/* The place of the first step that is no smaller. */
static size_t place_of(const rg_metric *series, int64_t step)
{
	size_t low = 0, high = series->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rg_metric_step(series, middle) < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_step(const rg_metric *series, int64_t step)
{
	size_t at = place_of(series, step);
	return at < series->count && rg_metric_step(series, at) == step;
}

/* Whole numbers that doubles do not hold are equal only digit for digit. Finds the first step of
 * both sides where they are not; false if there is none. Counts in *unscored those that have equal
 * doubles. */
static bool digits_differ(const rg_metric *old, const rg_metric *fresh, int64_t *first,
			  size_t *unscored)
{
	size_t i = 0, k = 0;
	bool found = false;

	while (i < old->digit_count || k < fresh->digit_count) {
		const int64_t was = i < old->digit_count ? old->digits[i].step : INT64_MAX;
		const int64_t is = k < fresh->digit_count ? fresh->digits[k].step : INT64_MAX;
		const int64_t step = was < is ? was : is;

		if (was == is ? strcmp(old->digits[i].text, fresh->digits[k].text) != 0
			      : has_step(was < is ? fresh : old, step)) {
			*first = found ? *first : step;
			found = true;
			*unscored += old->values && fresh->values &&
				     old->values[place_of(old, step)] ==
					     fresh->values[place_of(fresh, step)];
		}
		i += was <= is;
		k += is <= was;
	}
	return found;
}

/* Appends a whole number as the file has it; there is one at the step. */
static void append_digits(rg_buf *out, const rg_metric *series, int64_t step)
{
	for (size_t i = 0; i < series->digit_count; i++)
		if (series->digits[i].step == step) {
			rg_buf_str(out, series->digits[i].text);
			return;
		}
	rg_buf_printf(out, "%.0f", series->values ? series->values[place_of(series, step)] : NAN);
}

/* Describes digits that differ beside the figures. */
static void format_beside(rg_row *row, rg_arena *arena, const two_series *sides, int64_t step)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY);

	if (row->values_differ || !is_step_by_step(sides->policy))
		return;
	append_digits(&text, sides->old, step);
	rg_buf_str(&text, " became ");
	append_digits(&text, sides->fresh, step);
	rg_buf_str(&text, ", which doubles do not tell apart");
	row->beside = rg_buf_keep(&text, arena);
}

/* Raises row->beside_rel to the largest relative difference of tolerances or standard errors, and
 * describes the first in *text, if that has none yet: "the tolerance of add was 0.015 and is 5". */
static void find_beside(rg_row *row, const char **text, rg_arena *arena, const two_series *sides,
			const double *was, const double *is, const char *what)
{
	const rg_metric *old = sides->old, *fresh = sides->fresh;

	for (size_t i = 0, k = 0; (was || is) && next_common(old, fresh, &i, &k); i++, k++) {
		const double a = was ? was[i] : NAN, b = is ? is[k] : NAN;
		const double rel = fabs(rg_ratio(b - a, b, a, a));
		char number[RG_STEP_TEXT], said[2][RG_DOUBLE_REPR_SIZE];

		if (a == b || (isnan(a) && isnan(b)))
			continue;
		row->beside_rel = fmax(row->beside_rel, isnan(rel) ? INFINITY : rel);
		rg_double_repr(a, said[0]);
		rg_double_repr(b, said[1]);
		if (!*text)
			*text = rg_arena_textf(
				arena, "the %s of %s was %s and is %s", what,
				rg_step_name(old->records, rg_metric_step(old, i), number),
				isnan(a) ? "none" : said[0], isnan(b) ? "none" : said[1]);
	}
}

/* Values in two units cannot be compared, whatever their figure is: describes the first such pair.
 * False if there is none. */
static bool find_other_unit(rg_row *row, rg_arena *arena, const rg_metric *old,
			    const rg_metric *fresh)
{
	if (old->unit == fresh->unit && !old->unit_count && !fresh->unit_count)
		return false;
	for (size_t i = 0, k = 0; next_common(old, fresh, &i, &k); i++, k++) {
		const int64_t step = rg_metric_step(old, i);
		const char *was = rg_metric_unit(old, step), *is = rg_metric_unit(fresh, step);
		char number[RG_STEP_TEXT];

		if (was == is)
			continue;
		row->other_unit = rg_arena_textf(arena, "%.15g%s%s -> %.15g%s%s", old->values[i],
						 was ? " " : "", was ? was : "", fresh->values[k],
						 is ? " " : "", is ? is : "");
		row->beside = rg_arena_textf(arena, "the unit of %s is another: %s",
					     rg_step_name(old->records, step, number),
					     row->other_unit);
		return true;
	}
	return false;
}

/* Compares what no pair of values has. */
static void compare_rest(rg_row *row, rg_arena *arena, rg_pair_figures *figures,
			 const two_series *sides)
{
	const rg_metric *old = sides->old, *fresh = sides->fresh;
	/* Values whose key is not a step have no place in a figure, but have to be the same. */
	bool differ = old->no_step_keys != fresh->no_step_keys ||
		      old->no_step_sum != fresh->no_step_sum;
	int64_t step;

	row->unscored += differ ? 1 : 0;
	if (digits_differ(old, fresh, &step, &row->unscored)) {
		differ = true;
		format_beside(row, arena, sides, step);
		if (!row->first_diff_known || step < row->first_diff)
			row->first_diff = step;
		row->first_diff_known = true;
	}
	const char *beside = NULL;
	find_beside(row, &beside, arena, sides, old->tolerances, fresh->tolerances, "tolerance");
	find_beside(row, &beside, arena, sides, old->errors, fresh->errors, "standard error");
	row->unscored += old->shadowed != fresh->shadowed;
	/* An SNR that became infinite is better, and a NaN that went is not lost: neither has a
	 * figure. */
	if (fresh->scale == RG_SCALE_SNR)
		row->unscored += row->left_out.new_nonfinite;
	if (sides->policy->nan != RG_NAN_PLACEHOLDER)
		row->unscored += row->left_out.old_placeholder;
	if (!beside && old->shadowed != fresh->shadowed)
		beside = rg_shadowed_text(arena, old, fresh);
	if (beside && !row->values_differ && !row->beside && is_step_by_step(sides->policy))
		row->beside = beside;
	differ |= beside != NULL;
	differ |= find_other_unit(row, arena, old, fresh);
	/* The same numbers in another type are another golden. */
	differ |= old->tensor && fresh->tensor && !sides->as_tensors;
	row->left_out.no_step = old->no_step_keys + fresh->no_step_keys;
	row->identical &= !differ;
	row->values_differ |= differ;
	figures->score.differs |= differ || figures->lost || figures->gained;
}

/* Finds the steps on both sides that were not finite and are now, and the new steps that are not.
 */
static rg_error *find_repaired(rg_row *row, rg_arena *arena, const rg_metric *old,
			       const rg_metric *fresh, const rg_metric_policy *policy,
			       rg_left_steps *left)
{
	rg_left_steps found;
	rg_nan_pattern pattern;
	size_t i = 0, k = 0;
	bool known = false;

	rg_left_steps_init(&found, old->records);
	row->repaired_nan = true;
	for (size_t place = 0; k < fresh->count; place++) {
		int64_t is = rg_metric_step(fresh, k);
		int64_t was = i < old->count ? rg_metric_step(old, i) : INT64_MAX;
		bool came = is < was && !isfinite(fresh->values[k]);
		if (was == is && !isfinite(fresh->values[k]) &&
		    rg_nonfinite_is_news(old->values[i], fresh->values[k])) {
			row->now_nan |= isnan(fresh->values[k]);
			row->now_inf |= isinf(fresh->values[k]);
		}
		if (came && !known)
			RG_TRY(rg_nan_pattern_find(&pattern, fresh));
		known |= came;
		if (came && !(isnan(fresh->values[k]) &&
			      rg_nan_is_usual(&pattern, policy, is, false, NULL))) {
			rg_step_ranges_add(&left->by[RG_LEFT_NEW_NONFINITE], place, is, is, 1);
			row->left_out.new_nonfinite++;
			row->left_out.new_only -= !rg_record_is_alone(old->records, is);
			row->nonfinite++;
			row->now_nan |= isnan(fresh->values[k]);
			row->now_inf |= isinf(fresh->values[k]);
		}
		if (was == is && !isfinite(old->values[i]) && isfinite(fresh->values[k])) {
			rg_step_ranges_add(&found.by[RG_LEFT_OLD_NONFINITE], place, is, is, 1);
			row->repaired_nan &= isnan(old->values[i]);
			row->repaired++;
		}
		i += was <= is;
		k += is <= was;
	}
	rg_left_steps_text(&row->repaired_steps, arena, &found, RG_LEFT_OLD_NONFINITE);
	return NULL;
}

/* Lists the steps that came, went, turned non-finite or finite. */
static rg_error *name_steps(rg_row *row, rg_arena *arena, const rg_metric *old,
			    const rg_metric *fresh, const rg_metric_policy *policy,
			    rg_left_steps *left)
{
	if (old->values && fresh->values)
		RG_TRY(find_repaired(row, arena, old, fresh, policy, left));
	rg_lost_text(&row->lost_text, arena, row->left_out.old_only, old->count, left);
	rg_left_steps_text(&row->lost_steps, arena, left, RG_LEFT_OLD_ONLY);
	rg_left_steps_text(&row->gained_steps, arena, left, RG_LEFT_NEW_ONLY);
	rg_left_steps_text(&row->nonfinite_steps, arena, left, RG_LEFT_NEW_NONFINITE);
	return NULL;
}

/* Names the row's steps by the records of a table. */
static void name_records(rg_row *row, rg_arena *arena, const rg_metric *old, const rg_metric *fresh)
{
	const rg_records *records = old->records;
	char number[RG_STEP_TEXT];

	row->by_record = records;
	if (row->n_steps && old->values && fresh->values) {
		const double was = old->values[place_of(old, row->max_abs_rel_step)];
		const double is = fresh->values[place_of(fresh, row->max_abs_rel_step)];
		row->largest_rel = rg_ratio(was - is, was, is, fabs(was));
		row->past_old = was;
		row->past_new = is;
	}
	if (records && row->n_steps)
		row->max_abs_rel_record =
			rg_arena_text(arena, rg_step_name(records, row->max_abs_rel_step, number));
	if (!records || !row->first_diff_known)
		return;
	row->first_diff_record =
		rg_arena_text(arena, rg_step_name(records, row->first_diff, number));
}

rg_error *rg_series_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
			       const rg_metric *fresh, const rg_metric_policy *policy)
{
	rg_metric_policy narrowed = *policy;
	two_series s = {.old = old, .fresh = fresh, .policy = &narrowed};
	rg_left_steps left;
	rg_pair_setting setting = {.policy = &narrowed};
	RG_AUTO(rg_pair_figures) figures = {0};
	RG_AUTO(rg_pair_figures) scaled = {0};

	row->near_zero = policy->near_zero;
	rg_left_steps_init(&left, old->records);
	if (policy->last_steps)
		rg_series_narrow(old, fresh, policy->last_steps, &narrowed.first_step,
				 narrowed.last_step);
	s.as_tensors = rg_tensor_are_alike(old->tensor, fresh->tensor);
	if (s.as_tensors)
		rg_tensor_pair_init(&s.pair, old->tensor, fresh->tensor,
				    rg_policy_narrows(&narrowed) ||
					    rg_tensors_are_meant(old->tensor, fresh->tensor));
	else
		setting.left = &left;
	RG_TRY(read_sides(&figures, &s, &setting));
	if (overflows(&figures))
		RG_TRY(read_overflowing(&scaled, &figures, &s));
	set_figures(row, &figures, &scaled);
	row->measure = rg_measure_of(policy, old, fresh);
	rg_direction_fill(row, old, fresh, &narrowed);
	compare_rest(row, arena, &figures, &s);
	row->standard_errors = standard_errors(old, fresh);
	rg_left_out_text(&row->left_out_text, arena, &row->left_out, setting.left);
	RG_TRY(name_steps(row, arena, old, fresh, policy, &left));
	name_records(row, arena, old, fresh);
	record_tolerances_fill(row, arena, old, fresh);
	if (same_shape(old, fresh))
		RG_TRY(set_tensor(row, arena, &s, &figures));
	rg_score_finish(&figures.score, row);
	row->too_small.alone = row->too_small.count && !row->tensor && !(row->max_abs_rel > 0);
	row->from_zero.needs_look = row->from_zero.count && !row->tensor && is_step_by_step(policy);
	return NULL;
}
