/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that do not all have the same, and rows that are not all alike: what must not hide a change.
 */
#include "simulate/made_up.h"
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 0.1

typedef struct {
	const char *what;
	size_t files, series, steps, runs;
	double missing; /* each golden lacks in this share of the runs */
	double drift;   /* the first series of each golden grows by this share a run */
	/* All is equal in all runs but the first golden, of which so many runs are off by 1 %. */
	bool exact;
	size_t flips;
	/* What the last golden's first series is multiplied by in the new run. */
	double factor;
	/* Targets; NaN: there is none. */
	double changed_at_least, changed_at_most, noise_at_most, stands_out_at_least,
		outside_at_most;
} uneven;

typedef struct {
	size_t changed, noise, stands_out, outside, rows;
} outcomes;

static void make_run(double *out, const uneven *u, rg_random *random, size_t run, bool flips)
{
	for (size_t i = 0; i < u->files * u->series; i++)
		for (size_t s = 0; s < u->steps; s++) {
			double noise = u->exact ? 0 : SIMULATE_SIGMA * noise_normal(random);
			double trend = i % u->series ? 0 : u->drift * (double)run;

			if (flips && i == 0)
				noise = 0.01;
			out[i * u->steps + s] = simulate_curve(s) * (1 + noise) * (1 + trend);
		}
}

/* Exactly so many of the runs and the new one flip, whichever they are. */
static void choose_flips(bool *flips, const uneven *u, rg_random *random)
{
	memset(flips, 0, (u->runs + 1) * sizeof(*flips));
	for (size_t left = u->flips; left;) {
		size_t at = (size_t)rg_random_below(random, u->runs + 1);

		left -= !flips[at];
		flips[at] = true;
	}
}

static rg_error *try_once(outcomes *out, const uneven *u, rg_random *random)
{
	static made_up runs;
	static double fresh[MADE_UP_VALUES], golden[MADE_UP_VALUES];
	const size_t last = (u->files - 1) * u->series * u->steps;
	bool flips[MADE_UP_RUNS + 1];
	made_up_verdict verdict;

	runs.runs = u->runs;
	runs.files = u->files;
	runs.series = u->series;
	runs.steps = u->steps;
	choose_flips(flips, u, random);
	for (size_t r = 0; r < u->runs; r++) {
		make_run(runs.values[r], u, random, r, flips[r]);
		for (size_t f = 0; f < u->files; f++)
			runs.lacks[r][f] = noise_uniform(random) < u->missing;
	}
	make_run(golden, u, random, u->runs, false);
	make_run(fresh, u, random, u->runs, flips[u->runs]);
	for (size_t s = 0; s < u->steps; s++)
		fresh[last + s] *= u->factor;
	RG_TRY(made_up_judge(&verdict, &runs, golden, fresh, LEVEL));
	out->changed += verdict.run.fresh.answer == RG_ANSWER_CHANGED;
	out->noise += verdict.run.fresh.answer == RG_ANSWER_NOISE;
	out->stands_out += verdict.moved_stands_out;
	out->outside += verdict.outside;
	out->rows += verdict.rows;
	return NULL;
}

static rg_error *try_case(simulation *s, const uneven *u, size_t trials, uint64_t seed)
{
	rg_random random = {seed};
	outcomes o = {0};

	for (size_t t = 0; t < trials; t++)
		RG_TRY(try_once(&o, u, &random));
	const double n = (double)trials, changed = (double)o.changed / n,
		     noise = (double)o.noise / n, stands_out = (double)o.stands_out / n,
		     outside = o.rows ? (double)o.outside / (double)o.rows : 0;
	printf("%-44s %8.1f %8.1f %10.1f %8.1f\n", u->what, 100 * changed, 100 * noise,
	       100 * stands_out, 100 * outside);
	if (!isnan(u->changed_at_least))
		simulate_at_least(s, changed, u->changed_at_least, trials, "%s: changed", u->what);
	if (!isnan(u->changed_at_most))
		simulate_at_most(s, changed, u->changed_at_most, trials, "%s: changed", u->what);
	if (!isnan(u->noise_at_most))
		simulate_at_most(s, noise, u->noise_at_most, trials, "%s: noise", u->what);
	if (!isnan(u->stands_out_at_least))
		simulate_at_least(s, stands_out, u->stands_out_at_least, trials, "%s: stands out",
				  u->what);
	if (!isnan(u->outside_at_most))
		simulate_at_most(s, outside, u->outside_at_most, o.rows, "%s: rows outside",
				 u->what);
	return NULL;
}

rg_error *simulate_uneven(simulation *s)
{
#define NO NAN
	static const uneven cases[] = {
		{"10 % missing, as the others", 4, 5, 20, 24, 0.1, 0, 0, 0, 1, NO, LEVEL, NO, NO,
		 NO},
		{"10 % missing, doubled", 4, 5, 20, 24, 0.1, 0, 0, 0, 2, NO, NO, 0, 0.95, NO},
		{"30 % missing, as the others", 4, 5, 20, 24, 0.3, 0, 0, 0, 1, NO, LEVEL, NO, NO,
		 NO},
		{"30 % missing, doubled", 4, 5, 20, 24, 0.3, 0, 0, 0, 2, NO, NO, 0, 0.95, NO},
		{"grows by 1 % a run, as the others", 4, 2, 20, 24, 0, 0.01, 0, 0, 1, NO, LEVEL, NO,
		 NO, NO},
		{"grows by 1 % a run, times 2.7", 4, 2, 20, 24, 0, 0.01, 0, 0, 2.7, NO, NO, 0, 0.95,
		 NO},
		{"1 of 300 flaky, as the others", 300, 1, 4, 20, 0, 0, 1, 3, 1, NO, LEVEL, NO, NO,
		 NO},
		{"1 of 300 flaky, another off by 1 %", 300, 1, 4, 20, 0, 0, 1, 3, 1.01, 0.95, NO,
		 0.05, 0.95, NO},
		{"2 runs, as the others", 1, 40, 20, 2, 0, 0, 0, 0, 1, NO, 0, NO, NO, 0.02},
		{"3 runs, as the others", 1, 40, 20, 3, 0, 0, 0, 0, 1, NO, 0, NO, NO, 0.02},
		{"1 run, times 100", 12, 5, 20, 1, 0, 0, 0, 0, 100, NO, NO, 0, 0.999, NO},
		{"2 runs, times 100", 12, 5, 20, 2, 0, 0, 0, 0, 100, NO, NO, 0, 0.999, NO},
		{"3 runs, times 100", 12, 5, 20, 3, 0, 0, 0, 0, 100, NO, NO, 0, 0.999, NO},
	};
#undef NO
	const size_t trials = simulate_trials(s, 240, 30);

	printf("\nuneven runs, level %g %%: called changed, called noise, the moved row stands "
	       "out, "
	       "rows outside, in %%\n",
	       100 * LEVEL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		RG_TRY(try_case(s, &cases[i], trials, i + 1));
	return NULL;
}
