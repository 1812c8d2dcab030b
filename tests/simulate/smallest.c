/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "audit/changepoint.h"
#include "audit/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many series share the error rate of breaks; the orders are as many as the audit's. */
#define RATE 0.035
enum { RUNS_MAX = 50, ORDERS = 9999 };

typedef struct {
	size_t runs, series;
} smallest_case;

static rg_change_nulls *nulls;

/* Is a break that is `times` the smallest found, if it is added to these very runs? */
static void find(bool *found, const double *noise, const smallest_case *c, double times)
{
	double level = RATE / (double)c->series, orders = fmax(ORDERS, 2 / level);
	double values[RUNS_MAX], size;
	rg_changepoint change;
	rg_sample sample;

	rg_sample_describe(&sample, noise, c->runs);
	size = rg_changepoint_smallest(sample.std, c->runs, level, (size_t)orders);
	for (size_t r = 0; r < c->runs; r++)
		values[r] = noise[r] + (r < c->runs / 2 ? 0 : times * size);
	rg_changepoint_find(&change, nulls, values, c->runs, (size_t)orders);
	*found = change.p <= level;
}

static void show_case(simulation *s, const smallest_case *c, const char *kind, size_t trials)
{
	const double n = (double)trials, level = RATE / (double)c->series;
	rg_random random = {c->runs * 1000 + c->series};
	size_t whole = 0, part = 0;
	double smallest =
		rg_changepoint_smallest(1, c->runs, level, (size_t)fmax(ORDERS, 2 / level));

	if (isinf(smallest)) {
		printf("%-4zu runs, %4zu series %18s\n", c->runs, c->series, "none");
		return;
	}

	for (size_t t = 0; t < trials; t++) {
		double noise[RUNS_MAX];
		bool found[2];

		for (size_t r = 0; r < c->runs; r++)
			noise_find(kind)->make(&random, &noise[r], 1, r, c->runs);
		find(&found[0], noise, c, 1);
		find(&found[1], noise, c, 0.5);
		whole += found[0];
		part += found[1];
	}
	printf("%-4zu runs, %4zu series %18.2f %10.1f %10.1f\n", c->runs, c->series,
	       rg_changepoint_smallest(1, c->runs, level, (size_t)fmax(ORDERS, 2 / level)),
	       100 * (double)whole / n, 100 * (double)part / n);
	if (!strcmp(kind, "gaussian"))
		simulate_at_least(s, (double)whole / n, 0.8, trials,
				  "smallest, %zu runs, %zu series", c->runs, c->series);
}

rg_error *simulate_smallest(simulation *s)
{
	static const smallest_case cases[] = {{8, 1},  {8, 100},  {12, 1},   {12, 10},
					      {24, 1}, {24, 10},  {24, 100}, {24, 1000},
					      {50, 1}, {50, 100}, {50, 1000}};
	static const char *const kinds[] = {"gaussian", "t2", "quantised"};
	size_t trials = simulate_trials(s, 400, 60);

	nulls = rg_change_nulls_new();
	for (size_t k = 0; k < (s->brief ? 1 : 3); k++) {
		printf("\nthe smallest break, %s, %zu trials: in standard deviations, found in %%\n"
		       "%-23s %18s %10s %10s\n",
		       kinds[k], trials, "", "smallest", "found", "half of it");
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			if (!s->brief || cases[i].series <= 10)
				show_case(s, &cases[i], kinds[k], trials);
	}
	rg_change_nulls_free(nulls);
	return NULL;
}
