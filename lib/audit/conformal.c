/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/conformal.h"

#include "audit/statistics.h"
#include "base/memory.h"
#include "compare/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the squares of a run's shape, a change from one step on must explain this share to be called
 * one: less than that, and the shape differs here and there. */
#define EXPLAINED 0.5

typedef struct {
	const double *values;
	size_t runs, steps;
	double near_zero;
	double *deviations; /* as values; later less the run's own median */
	double *scales;     /* by step: 0 where no run differs; NaN where the centre is near zero */
	double *figures[RG_CONFORMAL_FIGURES]; /* by run */
	double *scratch;
} work;

/* The step's centre and, relative to it, each run's deviation. */
static void deviate(work *w, size_t step)
{
	for (size_t r = 0; r < w->runs; r++)
		w->scratch[r] = w->values[r * w->steps + step];
	double centre = rg_median(w->scratch, w->runs);
	w->scales[step] = fabs(centre) < w->near_zero ? NAN : 0;
	for (size_t r = 0; r < w->runs; r++)
		w->deviations[r * w->steps + step] =
			isnan(w->scales[step]) ? NAN
					       : (centre - w->values[r * w->steps + step]) / centre;
}

/* A run's mean deviation, which then loses its median. */
static double take_mean(work *w, size_t run)
{
	double *d = w->deviations + run * w->steps;
	rg_sum sum = {0, 0};
	size_t n = 0;

	for (size_t s = 0; s < w->steps; s++)
		if (!isnan(d[s])) {
			w->scratch[n++] = d[s];
			rg_sum_add(&sum, d[s]);
		}
	if (!n)
		return NAN;
	double median = rg_median(w->scratch, n);
	for (size_t s = 0; s < w->steps; s++)
		d[s] -= median;
	return rg_sum_mean(&sum, n);
}

/* What |e| usually is at the step: its median over the runs, or where most are 0, its mean. */
static void scale_step(work *w, size_t step)
{
	rg_sum sum = {0, 0};
	for (size_t r = 0; r < w->runs; r++) {
		w->scratch[r] = fabs(w->deviations[r * w->steps + step]);
		rg_sum_add(&sum, w->scratch[r]);
	}
	w->scales[step] = rg_median(w->scratch, w->runs);
	if (w->scales[step] == 0)
		w->scales[step] = rg_sum_mean(&sum, w->runs);
}

/* The steps' squares and the largest, of one run. */
static void take_shape(work *w, size_t run)
{
	const double *e = w->deviations + run * w->steps;
	double largest = 0;
	rg_sum squares = {0, 0};
	size_t n = 0;

	for (size_t s = 0; s < w->steps; s++) {
		double z;
		if (isnan(w->scales[s]) || w->scales[s] == 0)
			continue;
		z = fabs(e[s] / w->scales[s]);
		rg_sum_add(&squares, z * z);
		largest = fmax(largest, z);
		n++;
	}
	w->figures[RG_CONFORMAL_SHAPE][run] = n ? sqrt(rg_sum_mean(&squares, n)) : 0;
	w->figures[RG_CONFORMAL_STEP][run] = largest;
}

/* Sorts a copy of a figure into the scratch. */
static void sort_figure(work *w, const double *figure)
{
	memcpy(w->scratch, figure, w->runs * sizeof(*figure));
	qsort(w->scratch, w->runs, sizeof(*figure), rg_compare_doubles);
}

/* Makes the figures comparable with each other; see the header. */
static void standardise(work *w, double *figure)
{
	memcpy(w->scratch, figure, w->runs * sizeof(*figure));
	double median = rg_median(w->scratch, w->runs);
	double spread = rg_median_deviation(w->scratch, w->runs);
	sort_figure(w, figure);
	for (size_t r = 0; r < w->runs; r++)
		figure[r] = spread > 0
				    ? (figure[r] - median) / spread
				    : (double)rg_count_under(w->scratch, w->runs, figure[r], false);
}

/* The step that stands out, or from which on the values do. */
static size_t find_step(const work *w, size_t run, rg_conformal_figure figure)
{
	const double *e = w->deviations + run * w->steps;
	double total = 0, squares = 0, sum = 0, best = 0, n = 0, k = 0;
	size_t s, at = 0, largest = 0;

	for (s = 0; s < w->steps; s++) {
		double z = w->scales[s] > 0 ? e[s] / w->scales[s] : 0;
		if (!(w->scales[s] > 0))
			continue;
		if (fabs(z) > best) {
			best = fabs(z);
			largest = s;
		}
		total += z;
		squares += z * z;
		n++;
	}
	if (figure == RG_CONFORMAL_STEP)
		return largest;
	squares -= total * total / n;
	for (s = 0, best = EXPLAINED * squares; s < w->steps; s++) {
		if (!(w->scales[s] > 0))
			continue;
		if (k > 0) {
			double off = sum - total * k / n, explained = off * off * n / (k * (n - k));
			if (explained > best) {
				best = explained;
				at = s;
			}
		}
		sum += e[s] / w->scales[s];
		k++;
	}
	return at;
}

static void take_score(const work *w, rg_conformal_run *out, size_t run)
{
	out->score = -INFINITY;
	for (int f = 0; f < RG_CONFORMAL_FIGURES; f++)
		if (w->figures[f][run] > out->score) {
			out->score = w->figures[f][run];
			out->figure = (rg_conformal_figure)f;
		}
	out->from = out->figure == RG_CONFORMAL_MEAN ? 0 : find_step(w, run, out->figure);
}

static void take_figures(work *w, rg_conformal_run *out)
{
	for (size_t s = 0; s < w->steps; s++)
		deviate(w, s);
	for (size_t r = 0; r < w->runs; r++)
		out[r].mean = take_mean(w, r);
	for (size_t s = 0; s < w->steps; s++)
		if (!isnan(w->scales[s]))
			scale_step(w, s);
	for (size_t r = 0; r < w->runs; r++) {
		take_shape(w, r);
		w->scratch[r] = isnan(out[r].mean) ? 0 : out[r].mean;
	}
	double median = rg_median(w->scratch, w->runs);
	for (size_t r = 0; r < w->runs; r++)
		w->figures[RG_CONFORMAL_MEAN][r] = isnan(out[r].mean) ? 0
								      : fabs(out[r].mean - median);
}

static void take_ranks(work *w, rg_conformal_run *out)
{
	double *scores = w->figures[RG_CONFORMAL_STEP];
	sort_figure(w, w->figures[RG_CONFORMAL_MEAN]);
	for (size_t r = 0; r < w->runs; r++)
		out[r].mean_rank = w->runs - rg_count_under(w->scratch, w->runs,
							    w->figures[RG_CONFORMAL_MEAN][r],
							    false);
	for (int f = 0; f < RG_CONFORMAL_FIGURES; f++)
		standardise(w, w->figures[f]);
	for (size_t r = 0; r < w->runs; r++)
		take_score(w, &out[r], r);
	for (size_t r = 0; r < w->runs; r++)
		scores[r] = out[r].score;
	sort_figure(w, scores);
	for (size_t r = 0; r < w->runs; r++)
		out[r].rank = w->runs - rg_count_under(w->scratch, w->runs, scores[r], false);
}

void rg_conformal_rank(rg_conformal_run *out, const double *values, size_t runs, size_t steps,
		       double near_zero)
{
	size_t longer = runs > steps ? runs : steps;
	work w = {.values = values, .runs = runs, .steps = steps, .near_zero = near_zero};
	double *memory;

	memset(out, 0, runs * sizeof(*out));
	if (!runs)
		return;
	size_t count = runs * steps + steps + RG_CONFORMAL_FIGURES * runs + longer;
	memory = rg_calloc(count, sizeof(*memory));
	w.deviations = memory;
	w.scales = w.deviations + runs * steps;
	w.scratch = w.scales + steps;
	for (size_t f = 0; f < RG_CONFORMAL_FIGURES; f++)
		w.figures[f] = w.scratch + longer + f * runs;
	take_figures(&w, out);
	take_ranks(&w, out);
	free(memory);
}
