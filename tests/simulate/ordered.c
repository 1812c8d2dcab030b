/* SPDX-License-Identifier: Apache-2.0 */
/* Tolerances of runs whose order says something: how often the runs that come next fail. */
#include "simulate/simulate.h"

#include "audit/dependence.h"
#include "audit/tolerance.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = SIMULATE_STEPS, RUNS_MAX = 60, CHAINS = 10 };
#define RATE 0.05

/* A run is off as a whole, by far more than a step is. */
typedef struct {
	const char *what;
	double follows; /* so much of that is the run's before */
	double rises;   /* by so many standard deviations over the measured runs */
	double jumps;   /* by so many from the middle on */
	bool exchangeable;
} order_case;

typedef struct {
	rg_random *random;
	const order_case *c;
	size_t runs;
	double off;
} chain;

static double next_run(chain *at, double *out, size_t run)
{
	const double by = run ? at->c->follows : 0;
	const double trend = at->c->rises * (double)run / (double)at->runs +
			     (2 * run >= at->runs ? at->c->jumps : 0);

	at->off = by * at->off + sqrt(1 - by * by) * noise_normal(at->random);
	for (size_t s = 0; s < STEPS; s++) {
		double noise = at->off + 0.2 * noise_normal(at->random) + trend;

		out[s] = simulate_curve(s) * (1 + SIMULATE_SIGMA * noise);
	}
	return at->off + trend;
}

/* Of audits: those that name a drift, those that say that it did not hold, and those that promise
 * the rate; of the latter, the sum of the shares of next runs that fail. */
typedef struct {
	size_t trials, drifts, failed_later, promised;
	double failing;
} tally;

/* The next runs are as many as the newer half has; any of the measured ones is the golden. */
static void try_once(tally *out, const order_case *c, size_t n, rg_random *random)
{
	static double values[RUNS_MAX * STEPS];
	chain measured = {.random = random, .c = c, .runs = n};
	double fresh[STEPS], means[RUNS_MAX];
	rg_tolerance found = {0};
	rg_dependence order;
	size_t failed = 0, count = 0;

	for (size_t r = 0; r < n; r++)
		means[r] = next_run(&measured, values + r * STEPS, r);
	rg_tolerance_by_rate(&found, values, n, STEPS, RATE);
	rg_dependence_find(&order, means, n);
	rg_tolerance_bound(&found, rg_dependence_drifts(&order, 1), 1);
	for (size_t k = 0; k < CHAINS; k++) {
		chain at = measured;

		for (size_t r = n; r < n + n / 2; r++, count++) {
			const double *golden = values + rg_random_below(random, n) * STEPS;

			next_run(&at, fresh, r);
			failed += simulate_fails(&found, golden, fresh);
		}
	}
	out->trials++;
	out->drifts += rg_dependence_drifts(&order, 1);
	out->failed_later += found.failed_later;
	if (found.not_bounded)
		return;
	out->promised++;
	out->failing += (double)failed / (double)count;
}

static const order_case cases[] = {
	{"as they come", 0, 0, 0, true},     {"follow by 0.3", 0.3, 0, 0, false},
	{"follow by 0.6", 0.6, 0, 0, false}, {"follow by 0.9", 0.9, 0, 0, false},
	{"rise by 1 sd", 0, 1, 0, false},    {"rise by 3 sd", 0, 3, 0, false},
	{"jump by 2 sd", 0, 0, 2, false},
};

static void show(simulation *s, const order_case *c, size_t n, size_t trials, uint64_t seed)
{
	rg_random random = {seed};
	tally t = {0};

	while (t.trials < trials)
		try_once(&t, c, n, &random);
	const double failing = t.promised ? t.failing / (double)t.promised : 0;
	printf("   %5.1f %5.1f %5.1f", 100 * (double)t.drifts / (double)trials,
	       100 * (double)t.failed_later / (double)trials, 100 * failing);
	simulate_at_most(s, failing, RATE, t.promised ? t.promised : 1,
			 "ordered, %zu runs, %s: next runs that fail", n, c->what);
	if (c->exchangeable)
		simulate_at_most(s, (double)t.failed_later / (double)trials, 0.05, trials,
				 "ordered, %zu runs, %s: did not hold", n, c->what);
	if (c->rises > 2 || c->jumps > 0)
		simulate_at_least(s, 1 - (double)t.promised / (double)trials, 0.9, trials,
				  "ordered, %zu runs, %s: no promise", n, c->what);
}

rg_error *simulate_ordered(simulation *s)
{
	static const size_t ns[] = {24, 40, 60};
	const size_t trials = simulate_trials(s, 500, 60);

	printf("\ntolerances for a rate of %g %% of runs whose order says something, %zu trials: "
	       "drifts, did not hold for the newer half, and, of the others, next runs that fail, "
	       "in %%\n%-14s",
	       100 * RATE, trials, "");
	for (size_t k = 0; k < sizeof(ns) / sizeof(*ns); k++)
		printf("   %12zu runs", ns[k]);
	printf("\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		printf("%-14s", cases[i].what);
		for (size_t k = 0; k < sizeof(ns) / sizeof(*ns); k++)
			show(s, &cases[i], ns[k], trials, i + 1);
		printf("\n");
	}
	return NULL;
}
