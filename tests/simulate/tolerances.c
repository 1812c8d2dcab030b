/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "audit/tolerance.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = SIMULATE_STEPS, RUNS_MAX = 50, FRESH = 400, TRIALS_MAX = 500 };
#define RATE      0.05
#define WIDTH_MAX 3.0

bool simulate_fails(const rg_tolerance *t, const double *golden, const double *fresh)
{
	for (size_t s = 0; s < STEPS; s++)
		if (fabs(fresh[s] - golden[s]) > t->absolute + t->relative * fabs(golden[s]))
			return true;
	return false;
}

typedef struct {
	double rate, covered, normal, width;
} tally;

/* What a pair of runs needs in 95 % of cases. */
static void true_need(double *out, const noise_kind *kind)
{
	enum { MANY = RG_TOLERANCE_RUNS_MAX, ROUNDS = 9 };
	static double values[MANY * STEPS];
	double needs[ROUNDS];
	rg_random random = {99};

	for (size_t t = 0; t < ROUNDS; t++) {
		rg_tolerance found = {0};

		for (size_t r = 0; r < MANY; r++)
			simulate_run(&random, kind, values + r * STEPS, r, MANY);
		rg_tolerance_by_rate(&found, values, MANY, STEPS, RATE);
		needs[t] = found.relative;
	}
	*out = rg_median(needs, ROUNDS);
}

/* The mean rate at which fresh runs fail, and how often it is in the interval that was given. */
static void run_case(tally *out, const noise_kind *kind, size_t n, double rate, size_t trials)
{
	static double values[RUNS_MAX * STEPS];
	double fresh[STEPS];
	rg_random random = {n * 7 + 1};
	double widths[TRIALS_MAX], need;

	*out = (tally){0};
	true_need(&need, kind);
	for (size_t t = 0; t < trials; t++) {
		rg_tolerance found = {0};
		size_t failed = 0;
		double share;

		for (size_t r = 0; r < n; r++)
			simulate_run(&random, kind, values + r * STEPS, r, n);
		rg_tolerance_by_rate(&found, values, n, STEPS, rate);
		for (size_t f = 0; f < FRESH; f++) {
			simulate_run(&random, kind, fresh, n, n);
			failed += simulate_fails(
				&found, values + rg_random_below(&random, n) * STEPS, fresh);
		}
		share = (double)failed / FRESH;
		out->rate += share / (double)trials;
		out->covered += share >= found.fail_low && share <= found.fail_high
					? 1 / (double)trials
					: 0;
		out->normal += found.by_theory ? 1 / (double)trials : 0;
		widths[t] = found.relative / need;
	}
	out->width = need > 0 ? rg_median(widths, trials) : 0;
}

rg_error *simulate_tolerances(simulation *s)
{
	static const size_t ns[] = {5, 10, 20, 24, 50};
	size_t trials = simulate_trials(s, TRIALS_MAX, 40), from = s->brief ? 3 : 0,
	       to = s->brief ? 4 : 5;

	printf("\ntolerances for a rate of %g %%, %zu trials: fresh runs that fail, and audits "
	       "whose interval has that rate, in %%; how many times as wide as what 95 %% of pairs "
	       "need, the median\n%-20s",
	       100 * RATE, trials, "");
	for (size_t i = from; i < to; i++)
		printf("           %3zu runs", ns[i]);
	printf("\n");
	for (size_t k = 0; k < noise_kind_count; k++) {
		const noise_kind *kind = &noise_kinds[k];

		printf("%-20s", kind->name);
		for (size_t i = from; i < to; i++) {
			tally found;

			run_case(&found, kind, ns[i], RATE, trials);
			printf(" %6.1f %6.1f %4.1f", 100 * found.rate, 100 * found.covered,
			       found.width);
			if (kind->exchangeable)
				simulate_at_least(s, found.width <= WIDTH_MAX ? 1 : 0, 1, trials,
						  "tolerances, %zu runs, %s: width %.2g", ns[i],
						  kind->name, found.width);
			if (ns[i] != 24 || !kind->exchangeable)
				continue;
			simulate_at_most(s, found.rate, RATE, trials,
					 "tolerances, %zu runs, %s: fresh runs that fail", ns[i],
					 kind->name);
			simulate_at_least(s, found.covered, 0.95, trials,
					  "tolerances, %zu runs, %s: intervals", ns[i], kind->name);
		}
		printf("\n");
	}
	return NULL;
}
