/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/made_up.h"
#include "simulate/pipeline.h"
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 12 goldens of five metrics, 20 steps each. */
enum { FILES = 12, METRICS = 5, ROWS = FILES * METRICS, STEPS = 20, KINDS_MAX = 20 };
#define LEVEL 0.1

/* What becomes of the new run. */
typedef struct {
	const char *what;
	double shared; /* the share of a row's variance that all rows of a run have in common */
	/* The first rows are off as a whole: by so many of their means' standard deviations, and by
	 * a share of their values. */
	size_t moved;
	double by_sd, by_share;
} run_case;

typedef struct {
	size_t changed, golden, rows, outside, told, within, first_outside;
} run_counts;

static void make_run(double *out, const run_case *c, const noise_kind *kind, rg_random *random,
		     size_t run, size_t runs)
{
	double shared[STEPS], own[STEPS];

	kind->make(random, shared, STEPS, run, runs);
	for (size_t i = 0; i < ROWS; i++) {
		kind->make(random, own, STEPS, run, runs);
		for (size_t s = 0; s < STEPS; s++) {
			double noise = c->shared > 0 ? sqrt(1 - c->shared) * own[s] +
							       sqrt(c->shared) * shared[s]
						     : own[s];
			out[i * STEPS + s] = simulate_curve(s) * (1 + SIMULATE_SIGMA * noise);
		}
	}
}

static void move_run(double *values, const run_case *c)
{
	for (size_t i = 0; i < c->moved; i++)
		for (size_t s = 0; s < STEPS; s++) {
			double *value = &values[i * STEPS + s];

			*value = *value * (1 + c->by_share) +
				 simulate_curve(s) * SIMULATE_SIGMA * c->by_sd / sqrt(STEPS);
		}
}

static rg_error *try_case(const simulation *s, run_counts *out, const run_case *c,
			  const noise_kind *kind, size_t n, size_t trials)
{
	static made_up runs = {.files = FILES, .series = METRICS, .steps = STEPS};
	static double fresh[MADE_UP_VALUES], golden[MADE_UP_VALUES];
	rg_random random = {n + (uint64_t)(kind - noise_kinds) * 1000};

	*out = (run_counts){0};
	runs.runs = n;
	for (size_t t = 0; t < trials; t++) {
		made_up_verdict verdict;

		for (size_t r = 0; r < n; r++)
			make_run(runs.values[r], c, kind, &random, r, n + 2);
		make_run(golden, c, kind, &random, n, n + 2);
		make_run(fresh, c, kind, &random, n + 1, n + 2);
		move_run(fresh, c);
		RG_TRY(made_up_judge(&verdict, &runs, golden, fresh, LEVEL));
		if (s->through_program)
			RG_TRY(pipeline_check(&verdict, &runs, golden, fresh, LEVEL));
		out->changed += verdict.run.fresh.answer == RG_ANSWER_CHANGED;
		out->golden += verdict.run.golden.answer == RG_ANSWER_CHANGED;
		out->told += verdict.run.fresh.answer != RG_ANSWER_OPEN;
		out->rows += verdict.rows;
		out->outside += verdict.outside;
		out->within += verdict.first == RG_VERDICT_WITHIN;
		out->first_outside += verdict.first == RG_VERDICT_OUTSIDE;
	}
	return NULL;
}

static double share(size_t count, size_t of)
{
	return of ? (double)count / (double)of : 0;
}

static const size_t run_numbers[] = {3, 9, 20, 40};
enum { NUMBERS = sizeof(run_numbers) / sizeof(*run_numbers) };

/* The short form has 9 runs alone, of what losses are like. */
static bool is_wanted(const simulation *s, const noise_kind *kind)
{
	return !s->brief || !strcmp(kind->name, "gaussian") || !strcmp(kind->name, "flips") ||
	       !strcmp(kind->name, "bad runs");
}

/* Trials, where so many are wanted of the parts alone. */
static size_t trials_of(const simulation *s, size_t many, size_t few)
{
	if (s->through_program)
		return s->brief ? few / 20 : many / 10;
	return simulate_trials(s, many, few);
}

static size_t first_number(const simulation *s)
{
	return s->brief ? 1 : 0;
}

static size_t end_of_numbers(const simulation *s)
{
	return s->brief ? 2 : NUMBERS;
}

/* A run of the same kind: how often it is called changed, the golden, and a row outside. */
static rg_error *show_noise(simulation *s, const noise_kind *kind, double shared)
{
	const run_case same = {.what = "the same", .shared = shared};
	size_t trials = trials_of(s, 200, 60);

	printf("%-18s", kind->name);
	for (size_t i = first_number(s); i < end_of_numbers(s); i++) {
		size_t n = run_numbers[i];
		run_counts counts;

		RG_TRY(try_case(s, &counts, &same, kind, n, trials));
		double changed = share(counts.changed, trials),
		       golden = share(counts.golden, trials),
		       outside = share(counts.outside, counts.rows);
		printf("   %5.1f %5.1f %5.1f", 100 * changed, 100 * golden, 100 * outside);
		if (!kind->exchangeable)
			continue;
		/* Of so many shares one in a few hundred is past three standard errors: four. */
		size_t as_if = trials * 9 / 16;
		simulate_at_most(s, changed, LEVEL, as_if, "runs, %zu runs, %s: changed", n,
				 kind->name);
		simulate_at_most(s, golden, LEVEL, as_if, "runs, %zu runs, %s: the golden", n,
				 kind->name);
		simulate_at_most(s, outside, LEVEL, as_if, "runs, %zu runs, %s: rows outside", n,
				 kind->name);
	}
	printf("\n");
	return NULL;
}

static rg_error *show_all_noise(simulation *s)
{
	printf("\na run of the same kind, %d rows, level %g %%: called changed, the golden is, "
	       "rows "
	       "outside, in %%\n%-18s",
	       ROWS, 100 * LEVEL, "");
	for (size_t i = first_number(s); i < end_of_numbers(s); i++)
		printf("   %10zu runs  ", run_numbers[i]);
	printf("\n");
	for (size_t k = 0; k < noise_kind_count; k++)
		if (is_wanted(s, &noise_kinds[k]))
			RG_TRY(show_noise(s, &noise_kinds[k], 0));
	if (s->brief)
		return NULL;
	printf("nine tenths of it common to all rows of a run:\n");
	static const char *const kinds[] = {"gaussian", "t2", "modes", "bad runs"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		RG_TRY(show_noise(s, noise_find(kinds[i]), 0.9));
	return NULL;
}

/* One row of 60 at eight standard deviations of its mean, and 12 at five: targets by runs. */
static rg_error *show_moved(simulation *s)
{
	static const run_case cases[] = {
		{.what = "1 of 60 rows at 8 sd", .moved = 1, .by_sd = 8},
		{.what = "12 of 60 rows at 3 sd", .moved = 12, .by_sd = 3},
	};
	static const double targets[][NUMBERS] = {{0, 0.5, 0.9, 0.98}, {0}};
	size_t trials = trials_of(s, 400, 60);

	printf("\na run that changed, gaussian: called changed, its first row outside, in %%\n");
	for (size_t c = 0; c < (s->brief ? 1 : 2); c++) {
		printf("%-24s", cases[c].what);
		for (size_t i = first_number(s); i < end_of_numbers(s); i++) {
			run_counts counts;

			RG_TRY(try_case(s, &counts, &cases[c], noise_find("gaussian"),
					run_numbers[i], trials));
			printf(" %6.1f %5.1f", 100 * share(counts.changed, trials),
			       100 * share(counts.first_outside, trials));
			if (targets[c][i] > 0)
				simulate_at_least(s, share(counts.changed, trials), targets[c][i],
						  trials, "runs, %zu runs: %s", run_numbers[i],
						  cases[c].what);
		}
		printf("\n");
	}
	return NULL;
}

/* A doubled loss is never within, and with enough runs the run is changed. */
static rg_error *show_doubled(simulation *s)
{
	static const run_case doubled = {.what = "doubled", .moved = 1, .by_share = 1};
	size_t trials = trials_of(s, 100, 30);

	printf("\none row of 60 doubled: its row within, the run called changed, by 3, 9 and 20 "
	       "runs, in "
	       "%%\n");
	for (size_t k = 0; k < noise_kind_count; k++) {
		if (!is_wanted(s, &noise_kinds[k]))
			continue;
		printf("%-18s", noise_kinds[k].name);
		for (size_t i = first_number(s); i < (s->brief ? 2 : 3); i++) {
			run_counts counts;

			RG_TRY(try_case(s, &counts, &doubled, &noise_kinds[k], run_numbers[i],
					trials));
			double within = share(counts.within, trials);
			printf("   %5.1f %5.1f", 100 * within, 100 * share(counts.changed, trials));
			if (strcmp(noise_kinds[k].name, "cauchy") != 0)
				simulate_at_most(s, within, 0, trials,
						 "runs, %zu runs, %s, doubled: within",
						 run_numbers[i], noise_kinds[k].name);
		}
		printf("\n");
	}
	return NULL;
}

rg_error *simulate_runs(simulation *s)
{
	RG_TRY(show_all_noise(s));
	RG_TRY(show_moved(s));
	return show_doubled(s);
}

rg_error *simulate_pipeline(simulation *s)
{
	rg_error *err = pipeline_open(s->program);
	s->through_program = true;
	printf("\nthrough the program: audit, noise model, compare, exit code\n");
	if (!err)
		err = simulate_runs(s);
	s->through_program = false;
	pipeline_close();
	return err;
}
