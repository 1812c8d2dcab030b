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
	const double *values; /* run by run */
	size_t runs, steps;
	const rg_middle *middles; /* by step, of all runs but the last; or NULL */
	double near_zero, usual;
	/* d, then e, then z: step by step, each with all runs. What is the same for all runs is
	 * looked up once so, and the sums over steps go on side by side. */
	double *deviations;
	bool *zero;                            /* by step: its centre is near zero */
	double *figures[RG_CONFORMAL_FIGURES]; /* by run */
	double *logs[RG_CONFORMAL_FIGURES];    /* of shape and step */
	double *scratch;
	rg_sum *sums, *others; /* by run */
	double *columns;       /* COLUMNS runs' deviations, run by run */
} rank_state;

/* A line of the processor's cache has so many doubles. */
enum { COLUMNS = 8 };

static double limited(double deviation)
{
	return deviation > DEVIATION_MAX    ? DEVIATION_MAX
	       : deviation < -DEVIATION_MAX ? -DEVIATION_MAX
					    : deviation;
}

/* Lists the deviations of some runs by step. */
static void take_columns(rank_state *w, size_t first, size_t count)
{
	for (size_t s = 0; s < w->steps; s++)
		for (size_t k = 0; k < count; k++)
			w->columns[k * w->steps + s] = w->deviations[s * w->runs + first + k];
}

static size_t columns_at(const rank_state *w, size_t first)
{
	return w->runs - first < COLUMNS ? w->runs - first : COLUMNS;
}

/* The step's centre, and each run's deviation from it. */
static void deviate(rank_state *w, size_t step)
{
	double *d = w->deviations + step * w->runs;
	double centre;
	if (w->middles) {
		centre = rg_middle_with(&w->middles[step], w->runs - 1, d[w->runs - 1]);
	} else {
		memcpy(w->scratch, d, w->runs * sizeof(*d));
		centre = rg_median(w->scratch, w->runs);
	}
	w->zero[step] = fabs(centre) < w->near_zero || centre == 0;
	if (!w->zero[step]) {
		for (size_t r = 0; r < w->runs; r++)
			d[r] = limited(rg_ratio(centre - d[r], centre, d[r], centre));
		return;
	}
	for (size_t r = 0; r < w->runs; r++)
		w->scratch[r] = centre - d[r];
	double unit = rg_size_but_largest(w->scratch, w->runs);
	if (unit < w->near_zero)
		unit = 0;
	for (size_t r = 0; r < w->runs; r++) {
		double off = w->scratch[r];
		d[r] = unit != 0                  ? limited(rg_ratio(off, centre, d[r], unit))
		       : fabs(off) > w->near_zero ? limited(copysign(fmax(fabs(off), 1), off))
						  : 0;
	}
}

/* The root mean square of each run's deviations: of the relative ones, if there are any. */
static void take_sizes(rank_state *w, double *sizes)
{
	bool any = memchr(w->zero, false, w->steps) != NULL;
	size_t n = 0;
	memset(w->sums, 0, w->runs * sizeof(*w->sums));
	for (size_t s = 0; s < w->steps; s++) {
		const double *d = w->deviations + s * w->runs;
		if (any && w->zero[s])
			continue;
		n++;
		for (size_t r = 0; r < w->runs; r++)
			rg_sum_add(&w->sums[r], d[r] * d[r]);
	}
	for (size_t r = 0; r < w->runs; r++)
		sizes[r] = n ? sqrt(rg_sum_mean(&w->sums[r], n)) : 0;
}

double rg_conformal_clearly(size_t others)
{
	return others < 2 ? INFINITY : others == 2 ? 100 : others == 3 ? 20 : 10;
}

void rg_conformal_off(double *seen, double *off, const double *values, size_t runs, size_t steps,
		      double near_zero, const rg_middle *middles)
{
	const size_t others = runs - 1;
	RG_AUTO_FREE double *sums = rg_calloc(2 * runs, sizeof(*sums));
	double *scratch = sums + runs;
	size_t n = 0;

	for (size_t s = 0; s < steps; s++) {
		bool finite = true;
		for (size_t r = 0; !middles && r < others; r++) {
			scratch[r] = values[r * steps + s];
			finite &= isfinite(scratch[r]) != 0;
		}
		double centre = middles  ? middles[s].median
				: finite ? rg_median(scratch, others)
					 : 0;
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

/* The slope of a run's relative deviations over the steps: their product with the steps, which are
 * less their mean and of size 1. */
static void find_slopes(rank_state *w, double *slopes)
{
	double n = 0, sum = 0, squares = 0;
	for (size_t s = 0; s < w->steps; s++) {
		double step = w->zero[s] ? 0 : (double)s;
		n += w->zero[s] ? 0 : 1;
		sum += step;
		squares += step * step;
	}
	double size = sqrt(fmax(n * squares - sum * sum, 0));
	memset(slopes, 0, w->runs * sizeof(*slopes));
	for (size_t s = 0; s < w->steps; s++) {
		const double *d = w->deviations + s * w->runs, off = (double)s - sum / n;
		for (size_t r = 0; !w->zero[s] && r < w->runs; r++)
			slopes[r] += off * d[r];
	}
	for (size_t r = 0; r < w->runs; r++)
		slopes[r] = size > 0 ? slopes[r] / size : 0;
}

/* The means of the runs' relative deviations, which then lose their medians. */
static void take_means(rank_state *w, rg_conformal_run *out)
{
	double medians[COLUMNS];
	size_t n = 0, count;
	for (size_t s = 0; s < w->steps; s++)
		n += w->zero[s] ? 0 : 1;
	for (size_t first = 0; first < w->runs; first += count) {
		count = columns_at(w, first);
		take_columns(w, first, count);
		for (size_t k = 0; k < count; k++) {
			double *d = w->columns + k * w->steps;
			rg_sum sum = {0, 0};
			size_t kept = 0;
			for (size_t s = 0; s < w->steps; s++)
				if (!w->zero[s]) {
					rg_sum_add(&sum, d[s]);
					d[kept++] = d[s];
				}
			out[first + k].mean = n ? rg_sum_mean(&sum, n) : NAN;
			medians[k] = rg_median(d, n);
		}
		for (size_t s = 0; s < w->steps; s++)
			for (size_t k = 0; !w->zero[s] && k < count; k++)
				w->deviations[s * w->runs + first + k] -= medians[k];
	}
}

/* Divides by what |e| usually is at the step. */
static void scale_step(rank_state *w, size_t step)
{
	double *d = w->deviations + step * w->runs;
	double rule = w->zero[step] ? rg_size_but_largest(d, w->runs) : 0;
	memcpy(w->scratch, d, w->runs * sizeof(*d));
	double scale = rg_trimmed_size(w->scratch, w->runs);
	/* If all but one are zero, that one is not measured by what others are off elsewhere: it is
	 * wild whatever becomes of its sign. */
	double usual = w->zero[step] && rule == 0 ? fmin(w->usual, 1 / (WILD * WILD)) : w->usual;
	if (scale < RG_CONFORMAL_FLOOR)
		scale = fmax(fmax(usual, rule), RG_CONFORMAL_FLOOR);
	for (size_t r = 0; r < w->runs; r++)
		d[r] /= scale;
}

/* The usual size of the deviations of one sign: skewed noise has a long tail on one side only. A
 * run that alone has that sign is not the measure of itself. */
static double scale_of(const rank_state *w, double sign, double *sizes)
{
	size_t of_sign = 0;
	for (size_t i = 0; i < w->runs * w->steps; i++) {
		double size = w->deviations[i] * sign;
		sizes[of_sign] = size;
		of_sign += size > 0;
	}
	return fmin(fmax(rg_trimmed_size(sizes, of_sign), SIGN_LEAST), WILD);
}

static void scale_signs(rank_state *w, double *sizes)
{
	double above = scale_of(w, 1, sizes), below = scale_of(w, -1, sizes);
	for (size_t i = 0; i < w->runs * w->steps; i++)
		w->deviations[i] /= w->deviations[i] > 0 ? above : below;
}

/* The steps' squares and the largest, of each run; the logarithm has wild steps cut short, so that
 * the wildest one is not all there is to a shape. */
static void take_shapes(rank_state *w)
{
	double *largest = w->figures[RG_CONFORMAL_STEP];
	memset(w->sums, 0, w->runs * sizeof(*w->sums));
	memset(w->others, 0, w->runs * sizeof(*w->others));
	for (size_t s = 0; s < w->steps; s++) {
		const double *z = w->deviations + s * w->runs;
		for (size_t r = 0; r < w->runs; r++) {
			double square = z[r] * z[r], size = fabs(z[r]);
			rg_sum_add(&w->sums[r], square);
			rg_sum_add(&w->others[r], square < WILD * WILD ? square : WILD * WILD);
			largest[r] = size > largest[r] ? size : largest[r];
		}
	}
	for (size_t r = 0; r < w->runs; r++) {
		double shape = w->steps ? sqrt(rg_sum_mean(&w->sums[r], w->steps)) : 0;
		double cut = w->steps ? sqrt(rg_sum_mean(&w->others[r], w->steps)) : 0;
		w->figures[RG_CONFORMAL_SHAPE][r] = shape;
		w->logs[RG_CONFORMAL_SHAPE][r] = log1p(cut);
		w->logs[RG_CONFORMAL_STEP][r] = log1p(largest[r]);
	}
}

/* The step that is off most, or from which on the values are; or *before that. */
static size_t find_step(rank_state *w, size_t run, rg_conformal_figure figure, bool *before)
{
	const double *z = w->columns, n = (double)w->steps;
	double total = 0, squares = 0, sum = 0, best = 0, older = 0;
	size_t at = 0;
	take_columns(w, run, 1);
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
	find_slopes(w, slopes);
	take_means(w, out);
	for (size_t r = 0; r < w->runs; r++)
		means[r] = isnan(out[r].mean) ? 0 : out[r].mean;
	for (size_t s = 0; s < w->steps; s++)
		scale_step(w, s);
	scale_signs(w, sizes);
	take_shapes(w);
	standardise_off(w, means);
	standardise_off(w, slopes);
	for (int f = RG_CONFORMAL_SHAPE; f < RG_CONFORMAL_FIGURES; f++) {
		rg_standardise(w->figures[f], w->runs, w->scratch, ALIKE, 1);
		rg_standardise(w->logs[f], w->runs, w->scratch, ALIKE, 1);
	}
}

/* Runs that agree to the bit are none further out than another. */
static bool are_equal(const rank_state *w, rg_conformal_run *out)
{
	double mean = NAN;
	for (size_t r = 1; r < w->runs; r++)
		if (memcmp(w->values, w->values + r * w->steps, w->steps * sizeof(double)) != 0)
			return false;
	for (size_t s = 0; s < w->steps; s++)
		mean = fabs(w->values[s]) < w->near_zero || w->values[s] == 0 ? mean : 0;
	for (size_t r = 0; r < w->runs; r++)
		out[r] = (rg_conformal_run){.mean = mean, .rank = w->runs};
	return true;
}

static void take_room(rank_state *w, rg_arena *arena, double *room)
{
	const size_t runs = w->runs, steps = w->steps;
	w->deviations = room;
	w->columns = room + runs * steps;
	w->scratch = rg_arena_alloc(arena, runs * sizeof(double));
	w->zero = rg_arena_alloc(arena, steps * sizeof(bool));
	w->sums = rg_arena_alloc(arena, runs * sizeof(*w->sums));
	w->others = rg_arena_alloc(arena, runs * sizeof(*w->others));
	for (size_t f = 0; f < RG_CONFORMAL_FIGURES; f++) {
		w->figures[f] = rg_arena_alloc(arena, runs * sizeof(double));
		w->logs[f] = rg_arena_alloc(arena, runs * sizeof(double));
	}
	for (size_t first = 0, count; first < runs; first += count) {
		count = columns_at(w, first);
		for (size_t s = 0; s < steps; s++)
			for (size_t k = first; k < first + count; k++)
				w->deviations[s * runs + k] = w->values[k * steps + s];
	}
}

static void rank_from(rg_conformal_run *out, double *usual, const double *values, size_t runs,
		      size_t steps, double near_zero, size_t placed, const rg_middle *middles)
{
	rank_state w = {.values = values,
			.runs = runs,
			.steps = steps,
			.middles = middles,
			.near_zero = near_zero};
	*usual = 0;
	memset(out, 0, runs * sizeof(*out));
	if (!runs || are_equal(&w, out))
		return;
	RG_AUTO(rg_arena) arena = {0};
	/* None of it is read before it is written. */
	RG_AUTO_FREE double *room = rg_malloc((2 * runs + COLUMNS) * (steps + 1) * sizeof(*room));
	take_room(&w, &arena, room);
	for (size_t s = 0; s < steps; s++)
		deviate(&w, s);
	take_sizes(&w, w.figures[0]);
	*usual = w.usual = rg_size_but_largest(w.figures[0], runs);
	size_t clear = rg_conformal_clear(w.figures[0], runs);
	for (size_t r = 0; r < runs; r++)
		out[r].size = w.figures[0][r];
	take_figures(&w, out, room + (runs + COLUMNS) * steps);
	for (size_t r = 0; r < runs; r++)
		take_score(&w, &out[r], r);
	for (size_t r = placed; r < runs; r++)
		if (out[r].figure >= RG_CONFORMAL_SHAPE)
			out[r].from = find_step(&w, r, out[r].figure, &out[r].before);
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

void rg_conformal_rank(rg_conformal_run *out, double *usual, const double *values, size_t runs,
		       size_t steps, double near_zero)
{
	rank_from(out, usual, values, runs, steps, near_zero, 0, NULL);
}

void rg_conformal_rank_last(rg_conformal_run *out, double *usual, const double *values, size_t runs,
			    size_t steps, double near_zero, const rg_middle *middles)
{
	rank_from(out, usual, values, runs, steps, near_zero, runs ? runs - 1 : 0, middles);
}
