/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/conformal.h"

#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A change from one step on must explain this share of the squares of a run's shape to be called
 * one: with less, the shape differs here and there. */
#define EXPLAINED 0.5
/* And where the squares before it are so many times those that follow, it was the other until it.
 */
#define ONE_SIDED 4.0

/* No deviation is larger, so that squares of what becomes of it are finite. */
#define DEVIATION_MAX 1e100
/* Figures without a unit that are nearer to each other are equal. */
#define ALIKE 1e-9
/* Noise is hardly ever so many times its usual size. */
#define WILD 20.0
/* Deviations of a sign are this much smaller than all at most: less is the dust of rounding. */
#define SIGN_LEAST 0.1

typedef struct {
	const double *values;
	size_t runs, steps;
	double near_zero, usual;
	double *deviations;                    /* as values: d, then e, then z */
	bool *zero;                            /* by step: its centre is near zero */
	double *figures[RG_CONFORMAL_FIGURES]; /* by run */
	double *logs[RG_CONFORMAL_FIGURES];    /* of shape and step */
	double *scratch;
} rank_state;

static double limited(double deviation)
{
	return fmax(fmin(deviation, DEVIATION_MAX), -DEVIATION_MAX);
}

/* The step's centre, and each run's deviation from it. */
static void deviate(rank_state *w, size_t step)
{
	const double *values = w->values + step;
	double *d = w->deviations + step;
	for (size_t r = 0; r < w->runs; r++)
		w->scratch[r] = w->values[r * w->steps + step];
	double centre = rg_median(w->scratch, w->runs);
	w->zero[step] = fabs(centre) < w->near_zero || centre == 0;
	for (size_t r = 0; r < w->runs; r++)
		w->scratch[r] = centre - values[r * w->steps];
	double unit = w->zero[step] ? rg_size_but_largest(w->scratch, w->runs) : centre;
	for (size_t r = 0; r < w->runs; r++) {
		double off = w->scratch[r];
		if (w->zero[step] && (unit < w->near_zero || unit == 0))
			unit = 0;
		d[r * w->steps] =
			unit != 0 ? limited(rg_ratio(off, centre, values[r * w->steps], unit))
			: fabs(off) > w->near_zero ? limited(copysign(fmax(fabs(off), 1), off))
						   : 0;
	}
}

/* The root mean square of each run's deviations: of the relative ones, if there are any. */
static void take_sizes(rank_state *w, double *sizes)
{
	bool any = memchr(w->zero, false, w->steps) != NULL;
	for (size_t r = 0; r < w->runs; r++) {
		rg_sum squares = {0, 0};
		size_t n = 0;
		for (size_t s = 0; s < w->steps; s++) {
			double d = w->deviations[r * w->steps + s];
			if (any && w->zero[s])
				continue;
			rg_sum_add(&squares, d * d);
			n++;
		}
		sizes[r] = n ? sqrt(rg_sum_mean(&squares, n)) : 0;
	}
}

double rg_conformal_clearly(size_t others)
{
	return others < 2 ? INFINITY : others == 2 ? 100 : others == 3 ? 20 : 10;
}

void rg_conformal_off(double *seen, double *off, const double *values, size_t runs, size_t steps,
		      double near_zero)
{
	const size_t others = runs - 1;
	RG_AUTO_FREE double *sums = rg_calloc(2 * runs, sizeof(*sums));
	double *scratch = sums + runs;
	size_t n = 0;

	for (size_t s = 0; s < steps; s++) {
		bool finite = true;
		for (size_t r = 0; r < others; r++) {
			scratch[r] = values[r * steps + s];
			finite &= isfinite(scratch[r]) != 0;
		}
		double centre = finite ? rg_median(scratch, others) : 0;
		if (fabs(centre) < near_zero || centre == 0)
			continue;
		n++;
		for (size_t r = 0; r < runs; r++) {
			const double value = values[r * steps + s];
			double d = limited(rg_ratio(centre - value, centre, value, centre));
			sums[r] += d * d;
		}
	}
	*seen = 0;
	for (size_t r = 0; r < others; r++)
		*seen = fmax(*seen, n ? sqrt(sums[r] / (double)n) : 0);
	*off = n ? sqrt(sums[others] / (double)n) : 0;
}

size_t rg_conformal_clear(const double *sizes, size_t runs)
{
	size_t at = 0;
	double low = INFINITY, high = 0;
	for (size_t r = 1; r < runs; r++)
		at = sizes[r] > sizes[at] ? r : at;
	for (size_t r = 0; r < runs; r++) {
		low = r == at ? low : fmin(low, sizes[r]);
		high = r == at ? high : fmax(high, sizes[r]);
	}
	double range = fmax(high - low, RG_CONFORMAL_FLOOR);
	return runs > 1 && sizes[at] - high >= rg_conformal_clearly(runs - 1) * range ? at : runs;
}

/* How a run's relative deviations go with the steps: their product with these, less their mean and
 * of size 1. */
static double find_slope(const rank_state *w, size_t run)
{
	const double *d = w->deviations + run * w->steps;
	double n = 0, sum = 0, squares = 0, product = 0;
	for (size_t s = 0; s < w->steps; s++) {
		double step = w->zero[s] ? 0 : (double)s;
		n += w->zero[s] ? 0 : 1;
		sum += step;
		squares += step * step;
	}
	double size = sqrt(fmax(n * squares - sum * sum, 0));
	for (size_t s = 0; s < w->steps; s++)
		product += w->zero[s] ? 0 : ((double)s - sum / n) * d[s];
	return size > 0 ? product / size : 0;
}

/* The mean of a run's relative deviations, which then lose their median. */
static double take_mean(rank_state *w, size_t run)
{
	double *d = w->deviations + run * w->steps;
	rg_sum sum = {0, 0};
	size_t n = 0;
	for (size_t s = 0; s < w->steps; s++)
		if (!w->zero[s]) {
			w->scratch[n++] = d[s];
			rg_sum_add(&sum, d[s]);
		}
	if (!n)
		return NAN;
	double median = rg_median(w->scratch, n);
	for (size_t s = 0; s < w->steps; s++)
		d[s] -= w->zero[s] ? 0 : median;
	return rg_sum_mean(&sum, n);
}

/* Divides by what |e| usually is at the step. */
static void scale_step(rank_state *w, size_t step)
{
	for (size_t r = 0; r < w->runs; r++)
		w->scratch[r] = fabs(w->deviations[r * w->steps + step]);
	double rule = w->zero[step] ? rg_size_but_largest(w->scratch, w->runs) : 0;
	double scale = rg_trimmed_size(w->scratch, w->runs);
	/* If all but one are zero, that one is not measured by what others are off elsewhere: it is
	 * wild whatever becomes of its sign. */
	double usual = w->zero[step] && rule == 0 ? fmin(w->usual, 1 / (WILD * WILD)) : w->usual;
	if (scale < RG_CONFORMAL_FLOOR)
		scale = fmax(fmax(usual, rule), RG_CONFORMAL_FLOOR);
	for (size_t r = 0; r < w->runs; r++)
		w->deviations[r * w->steps + step] /= scale;
}

/* Divides those of one sign by what their size usually is: skewed noise has a long tail on one side
 * only. Where one run alone has that sign, it is not the measure of itself. */
static void scale_sign(rank_state *w, double sign, double *sizes)
{
	size_t of_sign = 0;
	for (size_t i = 0; i < w->runs * w->steps; i++)
		if (w->deviations[i] * sign > 0)
			sizes[of_sign++] = w->deviations[i];
	double scale = fmin(fmax(rg_trimmed_size(sizes, of_sign), SIGN_LEAST), WILD);
	for (size_t i = 0; i < w->runs * w->steps; i++)
		w->deviations[i] /= w->deviations[i] * sign > 0 ? scale : 1;
}

/* The steps' squares and the largest, of one run; the logarithm has wild steps cut short, so that
 * the wildest one is not all there is to a shape. */
static void take_shape(rank_state *w, size_t run)
{
	const double *z = w->deviations + run * w->steps;
	double largest = 0;
	rg_sum squares = {0, 0}, cut = {0, 0};
	for (size_t s = 0; s < w->steps; s++) {
		rg_sum_add(&squares, z[s] * z[s]);
		rg_sum_add(&cut, fmin(z[s] * z[s], WILD * WILD));
		largest = fmax(largest, fabs(z[s]));
	}
	w->figures[RG_CONFORMAL_SHAPE][run] = w->steps ? sqrt(rg_sum_mean(&squares, w->steps)) : 0;
	w->logs[RG_CONFORMAL_SHAPE][run] = w->steps ? log1p(sqrt(rg_sum_mean(&cut, w->steps))) : 0;
	w->figures[RG_CONFORMAL_STEP][run] = largest;
	w->logs[RG_CONFORMAL_STEP][run] = log1p(largest);
}

/* The step that is off most, or from which on the values are; or *before that. */
static size_t find_step(const rank_state *w, size_t run, rg_conformal_figure figure, bool *before)
{
	const double *z = w->deviations + run * w->steps, n = (double)w->steps;
	double total = 0, squares = 0, sum = 0, best = 0, older = 0;
	size_t at = 0;
	for (size_t s = 0; s < w->steps; s++) {
		if (fabs(z[s]) > best) {
			best = fabs(z[s]);
			at = s;
		}
		total += z[s];
		squares += z[s] * z[s];
	}
	if (figure == RG_CONFORMAL_STEP)
		return at;
	at = 0;
	best = EXPLAINED * (squares - total * total / n);
	for (size_t s = 1; s < w->steps; s++) {
		double k = (double)s;
		sum += z[s - 1];
		older += z[s - 1] * z[s - 1];
		double off = sum - total * k / n;
		double explained = off * off * n / (k * (n - k));
		if (explained > best) {
			best = explained;
			at = s;
			*before = older / k > ONE_SIDED * (squares - older) / (n - k);
		}
	}
	return at;
}

/* Shape and step are large more often than normal values are: by themselves they would be the
 * largest of all four too often, by logarithms alone a wild one too rarely. */
static void take_score(const rank_state *w, rg_conformal_run *out, size_t run)
{
	double most = -INFINITY;
	out->score = -INFINITY;
	for (int f = 0; f < RG_CONFORMAL_FIGURES; f++) {
		double off = w->figures[f][run];
		if (off > most) {
			most = off;
			out->figure = (rg_conformal_figure)f;
		}
		if (f >= RG_CONFORMAL_SHAPE)
			off = fmax(w->logs[f][run], fmax(off / 2, off - WILD));
		out->score = fmax(out->score, off);
	}
	out->from = out->figure >= RG_CONFORMAL_SHAPE ? find_step(w, run, out->figure, &out->before)
						      : 0;
}

/* How far figures are off their median. */
static void standardise_off(rank_state *w, double *figures)
{
	memcpy(w->scratch, figures, w->runs * sizeof(*figures));
	double median = rg_median(w->scratch, w->runs);
	for (size_t r = 0; r < w->runs; r++)
		figures[r] = fabs(figures[r] - median);
	rg_standardise(figures, w->runs, w->scratch, RG_CONFORMAL_FLOOR,
		       fmax(w->usual, RG_CONFORMAL_FLOOR));
}

static void take_figures(rank_state *w, rg_conformal_run *out, double *sizes)
{
	double *means = w->figures[RG_CONFORMAL_MEAN], *slopes = w->figures[RG_CONFORMAL_SLOPE];
	for (size_t r = 0; r < w->runs; r++) {
		slopes[r] = find_slope(w, r);
		out[r].mean = take_mean(w, r);
		means[r] = isnan(out[r].mean) ? 0 : out[r].mean;
	}
	for (size_t s = 0; s < w->steps; s++)
		scale_step(w, s);
	scale_sign(w, 1, sizes);
	scale_sign(w, -1, sizes);
	for (size_t r = 0; r < w->runs; r++)
		take_shape(w, r);
	standardise_off(w, means);
	standardise_off(w, slopes);
	for (int f = RG_CONFORMAL_SHAPE; f < RG_CONFORMAL_FIGURES; f++) {
		rg_standardise(w->figures[f], w->runs, w->scratch, ALIKE, 1);
		rg_standardise(w->logs[f], w->runs, w->scratch, ALIKE, 1);
	}
}

void rg_conformal_rank(rg_conformal_run *out, double *usual, const double *values, size_t runs,
		       size_t steps, double near_zero)
{
	rank_state w = {.values = values, .runs = runs, .steps = steps, .near_zero = near_zero};
	*usual = 0;
	memset(out, 0, runs * sizeof(*out));
	if (!runs)
		return;
	RG_AUTO(rg_arena) arena = {0};
	w.deviations = rg_arena_alloc(&arena, runs * steps * sizeof(double));
	w.scratch = rg_arena_alloc(&arena, (runs > steps ? runs : steps) * sizeof(double));
	w.zero = rg_arena_alloc(&arena, steps * sizeof(bool));
	for (size_t f = 0; f < RG_CONFORMAL_FIGURES; f++) {
		w.figures[f] = rg_arena_alloc(&arena, runs * sizeof(double));
		w.logs[f] = rg_arena_alloc(&arena, runs * sizeof(double));
	}
	for (size_t s = 0; s < steps; s++)
		deviate(&w, s);
	take_sizes(&w, w.figures[0]);
	*usual = w.usual = rg_size_but_largest(w.figures[0], runs);
	size_t clear = rg_conformal_clear(w.figures[0], runs);
	for (size_t r = 0; r < runs; r++)
		out[r].size = w.figures[0][r];
	take_figures(&w, out, rg_arena_alloc(&arena, runs * steps * sizeof(double)));
	for (size_t r = 0; r < w.runs; r++)
		take_score(&w, &out[r], r);
	for (size_t r = 0; clear < w.runs && r < w.runs; r++)
		if (r != clear)
			out[clear].score =
				fmax(out[clear].score, nextafter(out[r].score, INFINITY));
	for (size_t r = 0; r < w.runs; r++)
		w.scratch[r] = out[r].score;
	qsort(w.scratch, w.runs, sizeof(*w.scratch), rg_compare_doubles);
	for (size_t r = 0; r < w.runs; r++)
		out[r].rank = w.runs - rg_ecdf_count(w.scratch, w.runs, out[r].score, false);
}
