/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "audit/conformal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 50, RUNS_MAX = 51 };
#define LEVEL 0.1
/* A step's deviation, relative to the curve. */
#define SIGMA 1e-3

typedef struct {
	const char *name;
	double size; /* in standard deviations, of the runs' means or of a step */
	void (*apply)(double *values, double size, double mean_sd);
} change;

/* A loss that falls. */
static double curve(size_t s)
{
	return 2 + 9 * exp(-(double)s / 12);
}

static void no_change(double *values, double size, double mean_sd)
{
	(void)values, (void)size, (void)mean_sd;
}

static void shift(double *values, double size, double mean_sd)
{
	for (size_t s = 0; s < STEPS; s++)
		values[s] += curve(s) * SIGMA * size * mean_sd;
}

static void halves(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	for (size_t s = 0; s < STEPS; s++)
		values[s] += curve(s) * SIGMA * (s < STEPS / 2 ? size : -size);
}

static void alternate(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	for (size_t s = 0; s < STEPS; s++)
		values[s] += curve(s) * SIGMA * (s % 2 ? size : -size);
}

static void two_steps(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	values[STEPS / 3] += curve(STEPS / 3) * SIGMA * size;
	values[2 * STEPS / 3] -= curve(2 * STEPS / 3) * SIGMA * size;
}

static void flat(double *values, double size, double mean_sd)
{
	(void)size, (void)mean_sd;
	for (size_t s = 1; s < STEPS; s++)
		values[s] = values[0];
}

static const change changes[] = {
	{"no change", 0, no_change},
	{"mean, 3 sd", 3, shift},
	{"mean, 5 sd", 5, shift},
	{"halves, 20 sd", 20, halves},
	{"alternating, 50 sd", 50, alternate},
	{"two steps, 10 sd", 10, two_steps},
	{"flat curve", 0, flat},
};
enum { CHANGES = sizeof(changes) / sizeof(*changes) };

static void make_run(rg_random *random, const noise_kind *kind, double *out, size_t run,
		     size_t runs)
{
	double noise[STEPS];

	kind->make(random, noise, STEPS, run, runs);
	for (size_t s = 0; s < STEPS; s++)
		out[s] = curve(s) * (1 + SIGMA * noise[s]);
}

/* The standard deviation of runs' mean deviations: for heavy tails a figure without a meaning,
 * taken from the middle of them. */
static double mean_sd_of(const noise_kind *kind)
{
	enum { MANY = 4001 };
	static double means[MANY];
	rg_random random = {1};
	double noise[STEPS];

	for (size_t i = 0; i < MANY; i++) {
		kind->make(&random, noise, STEPS, i, MANY);
		means[i] = 0;
		for (size_t s = 0; s < STEPS; s++)
			means[i] += noise[s] / STEPS;
	}
	return rg_median_deviation(means, MANY) / 0.6745;
}

static rg_error *find_rate(double *out, const noise_kind *kind, const change *c, size_t n,
			   size_t trials, uint64_t seed)
{
	static double values[RUNS_MAX * STEPS];
	rg_conformal_run ranks[RUNS_MAX];
	double mean_sd = mean_sd_of(kind);
	rg_random random = {seed};
	size_t found = 0, t, r;

	for (t = 0; t < trials; t++) {
		for (r = 0; r <= n; r++)
			make_run(&random, kind, values + r * STEPS, r, n + 1);
		c->apply(values + n * STEPS, c->size, mean_sd);
		RG_TRY(rg_conformal_rank(ranks, values, n + 1, STEPS));
		found += (double)ranks[n].rank <= LEVEL * (double)(n + 1) * (1 + 1e-12);
	}
	*out = (double)found / (double)trials;
	return NULL;
}

rg_error *simulate_verdicts(size_t trials)
{
	static const size_t ns[] = {5, 9, 24, 50};

	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++) {
		printf("\n%zu runs of %d steps, level %g %%: share found, in %%\n", ns[i], STEPS,
		       100 * LEVEL);
		printf("%-20s", "");
		for (size_t c = 0; c < CHANGES; c++)
			printf(" %18s", changes[c].name);
		printf("\n");
		for (size_t k = 0; k < noise_kind_count; k++) {
			printf("%-20s", noise_kinds[k].name);
			for (size_t c = 0; c < CHANGES; c++) {
				double rate;

				RG_TRY(find_rate(&rate, &noise_kinds[k], &changes[c], ns[i], trials,
						 k * 100 + c + 7));
				printf(" %18.1f", 100 * rate);
			}
			printf("\n");
		}
	}
	return NULL;
}
