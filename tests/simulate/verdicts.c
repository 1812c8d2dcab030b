/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "compare/policy.h"
#include "audit/conformal.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = SIMULATE_STEPS, RUNS_MAX = 51 };
#define LEVEL 0.1

typedef struct {
	const char *name;
	double size; /* in standard deviations, of the runs' means or of a step */
	void (*apply)(double *values, double size, double mean_sd);
	/* The share to find of 24 runs, and under run effects; 0 says what is no change. */
	double target, with_effects;
} change;

static void no_change(double *values, double size, double mean_sd)
{
	(void)values, (void)size, (void)mean_sd;
}

static void shift(double *values, double size, double mean_sd)
{
	for (size_t s = 0; s < STEPS; s++)
		values[s] += simulate_curve(s) * SIMULATE_SIGMA * size * mean_sd;
}

static void halves(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	for (size_t s = 0; s < STEPS; s++)
		values[s] += simulate_curve(s) * SIMULATE_SIGMA * (s < STEPS / 2 ? size : -size);
}

static void alternate(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	for (size_t s = 0; s < STEPS; s++)
		values[s] += simulate_curve(s) * SIMULATE_SIGMA * (s % 2 ? size : -size);
}

static void two_steps(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	values[STEPS / 3] += simulate_curve(STEPS / 3) * SIMULATE_SIGMA * size;
	values[2 * STEPS / 3] -= simulate_curve(2 * STEPS / 3) * SIMULATE_SIGMA * size;
}

/* One standard deviation of a step: down at the first, up at the last. */
static void slope(double *values, double size, double mean_sd)
{
	(void)mean_sd;
	for (size_t s = 0; s < STEPS; s++)
		values[s] += simulate_curve(s) * SIMULATE_SIGMA * size *
			     (2 * (double)s / (STEPS - 1) - 1);
}

static void flat(double *values, double size, double mean_sd)
{
	(void)size, (void)mean_sd;
	for (size_t s = 1; s < STEPS; s++)
		values[s] = values[0];
}

static const change changes[] = {
	{"no change", 0, no_change, 0, 0},
	{"mean, 3 sd", 3, shift, 0.6, 0.6},
	{"mean, 5 sd", 5, shift, 0.95, 0.95},
	{"halves, 20 sd", 20, halves, 0.95, 0.95},
	{"alternating, 50 sd", 50, alternate, 0.95, 0.95},
	{"two steps, 10 sd", 10, two_steps, 0.95, 0.7},
	{"slope, 1 sd", 1, slope, 0.92, 0.92},
	{"flat curve", 0, flat, 0.95, 0.95},
};
enum { CHANGES = sizeof(changes) / sizeof(*changes) };

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

static void find_rate(double *out, const noise_kind *kind, const change *c, double mean_sd,
		      size_t n, size_t trials)
{
	static double values[RUNS_MAX * STEPS];
	rg_conformal_run ranks[RUNS_MAX];
	double usual;
	rg_random random = {(uint64_t)((kind - noise_kinds) * 100 + (c - changes) + 7)};
	size_t found = 0, t, r;

	for (t = 0; t < trials; t++) {
		for (r = 0; r <= n; r++)
			simulate_run(&random, kind, values + r * STEPS, r, n + 1);
		c->apply(values + n * STEPS, c->size, mean_sd);
		rg_conformal_rank(ranks, &usual, values, n + 1, STEPS, RG_NEAR_ZERO);
		found += (double)ranks[n].rank <= LEVEL * (double)(n + 1) * (1 + 1e-12);
	}
	*out = (double)found / (double)trials;
}

/* What else is to be found of 24 runs. */
static double other_target(const noise_kind *kind, const change *c)
{
	static const struct {
		const char *kind;
		void (*apply)(double *values, double size, double mean_sd);
		double target;
	} others[] = {
		{"lognormal", two_steps, 0.78},
		{"bad runs", alternate, 0.9},
		{"cauchy", alternate, 0.3},
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].apply == c->apply && !strcmp(others[i].kind, kind->name))
			return others[i].target;
	return 0;
}

static void hold(simulation *s, double rate, const noise_kind *kind, const change *c, size_t n,
		 size_t trials)
{
	bool effects = !strcmp(kind->name, "run effects");

	if (c->target == 0 && kind->exchangeable)
		simulate_at_most(s, rate, LEVEL, trials, "verdicts, %zu runs, %s: false alarms", n,
				 kind->name);
	else if (c->target > 0 && n == 24 &&
		 (effects || !strcmp(kind->name, "gaussian") ||
		  (!strcmp(kind->name, "ar(.95) steps") && c->apply != slope)))
		simulate_at_least(s, rate, effects ? c->with_effects : c->target, trials,
				  "verdicts, %zu runs, %s: %s", n, kind->name, c->name);
	else if (n == 24 && other_target(kind, c) > 0)
		simulate_at_least(s, rate, other_target(kind, c), trials,
				  "verdicts, %zu runs, %s: %s", n, kind->name, c->name);
	else if (n == 9 && c->apply == two_steps && !strcmp(kind->name, "gaussian"))
		simulate_at_least(s, rate, 0.88, trials, "verdicts, 9 runs: two steps");
}

/* 5 runs cannot decide by ranks (runs.c has them): that they never do is held here. */
static void show_runs(simulation *s, size_t n, const double *mean_sds, size_t trials)
{
	printf("\n%zu runs of %d steps, level %g %%, %zu trials: share found, in %%\n%-20s", n,
	       STEPS, 100 * LEVEL, trials, "");
	for (size_t c = 0; c < CHANGES; c++)
		printf(" %18s", changes[c].name);
	printf("\n");
	for (size_t k = 0; k < noise_kind_count; k++) {
		printf("%-20s", noise_kinds[k].name);
		for (size_t c = 0; c < CHANGES; c++) {
			double rate;

			find_rate(&rate, &noise_kinds[k], &changes[c], mean_sds[k], n, trials);
			printf(" %18.1f", 100 * rate);
			hold(s, rate, &noise_kinds[k], &changes[c], n, trials);
		}
		printf("\n");
	}
}

rg_error *simulate_verdicts(simulation *s)
{
	static const size_t ns[] = {5, 9, 24, 50};
	double mean_sds[32];

	for (size_t k = 0; k < noise_kind_count; k++)
		mean_sds[k] = mean_sd_of(&noise_kinds[k]);
	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		if (!s->brief || ns[i] == 24)
			show_runs(s, ns[i], mean_sds, simulate_trials(s, 2000, 150));
	return NULL;
}
