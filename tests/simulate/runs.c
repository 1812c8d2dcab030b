/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "compare/policy.h"
#include "audit/conformal.h"
#include "audit/verdict.h"
#include "simulate/made_up.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = SIMULATE_STEPS, ROWS = 60, RUNS_MAX = 25, FEW = 5 };
#define LEVEL 0.1

/* All rows of a run have the shared noise in them, to a share of their variance. */
typedef struct {
	const char *what;
	double shared;
	size_t moved; /* rows of the new run that are off, by five of a step's deviations */
} run_case;

static void make_row(rg_verdict *out, size_t *ranks, const size_t *runs, size_t n,
		     const double *values)
{
	rg_conformal_run found[RUNS_MAX];

	rg_conformal_rank(found, values, n + 1, STEPS, RG_NEAR_ZERO);
	for (size_t r = 0; r <= n; r++)
		ranks[r] = found[r].rank;
	*out = (rg_verdict){.runs = n, .ranks = ranks, .ranked_runs = runs};
	out->p = (double)ranks[n] / (double)(n + 1);
	out->kind = out->p <= LEVEL ? RG_VERDICT_OUTSIDE : RG_VERDICT_WITHIN;
}

static void make_rows(rg_row *rows, const run_case *c, const noise_kind *kind, size_t n,
		      rg_random *random)
{
	static double shared[RUNS_MAX][STEPS], values[RUNS_MAX * STEPS];
	static size_t ranks[ROWS][RUNS_MAX], runs[RUNS_MAX];

	for (size_t r = 0; r <= n; r++) {
		runs[r] = r;
		kind->make(random, shared[r], STEPS, r, n + 1);
	}
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t r = 0; r <= n; r++) {
			double *run = values + r * STEPS;

			kind->make(random, run, STEPS, r, n + 1);
			for (size_t s = 0; s < STEPS; s++)
				run[s] = simulate_curve(s) *
					 (1 + SIMULATE_SIGMA * (sqrt(1 - c->shared) * run[s] +
								sqrt(c->shared) * shared[r][s] +
								(r == n && i < c->moved ? 5 : 0)));
		}
		rows[i] = (rg_row){0};
		make_row(&rows[i].verdict, ranks[i], runs, n, values);
	}
}

/* How often the run is called another, and how many of its rows are outside. */
static void show_case(simulation *s, const run_case *c, const noise_kind *kind, size_t n,
		      size_t trials)
{
	static rg_row rows[ROWS];
	rg_random random = {n};
	size_t another = 0, outside = 0;
	double share;

	for (size_t t = 0; t < trials; t++) {
		rg_comparison comparison = {.rows = rows, .row_count = ROWS};

		make_rows(rows, c, kind, n, &random);
		rg_noise_judge_run(&comparison, LEVEL);
		another += comparison.run.is_another;
		outside += comparison.run.outside;
	}
	share = (double)another / (double)trials;
	printf("%-32s %-14s %5zu %10.1f %10.1f\n", c->what, kind->name, n, 100 * share,
	       (double)outside / (double)trials);
	if (!c->moved)
		simulate_at_most(s, share, LEVEL, trials, "runs, %zu runs, %s, %s: another", n,
				 kind->name, c->what);
}

static void show_whole_runs(simulation *s)
{
	static const run_case cases[] = {
		{"noise, rows on their own", 0, 0},
		{"noise, half of it shared", 0.5, 0},
		{"noise, nine tenths shared", 0.9, 0},
		{"12 of 60 rows moved by 5 sd", 0, 12},
	};
	static const char *const kinds[] = {"gaussian", "t2", "bad runs"};
	size_t trials = s->brief ? 60 : 300;

	printf("\nthe run as a whole, %d rows, level %g %%, %zu trials: share called another, in "
	       "%%, and mean of rows outside\n%-47s %5s %10s %10s\n",
	       ROWS, 100 * LEVEL, trials, "", "runs", "another", "outside");
	for (size_t i = 0; i < (s->brief ? 2 : sizeof(cases) / sizeof(*cases)); i++)
		for (size_t k = 0; k < (s->brief ? 1 : sizeof(kinds) / sizeof(*kinds)); k++) {
			show_case(s, &cases[i], noise_find(kinds[k]), 9, trials);
			show_case(s, &cases[i], noise_find(kinds[k]), 24, trials);
		}
}

/* The verdict on one more run, as a user gets it: by a model of an audit. */
static rg_error *judge_new(rg_verdict *out, const made_up *runs, const double *fresh)
{
	const rg_metric metric = {
		.name = "m00", .kind = RG_METRIC_SERIES, .count = STEPS, .values = fresh};
	static made_up m;
	rg_noise_model model;
	rg_arena arena;
	rg_audit audit;
	rg_error *err;
	rg_buf text;

	m = *runs;
	RG_TRY(made_up_audit(&audit, &m));
	rg_buf_init(&text, RG_BUF_TEXT);
	err = rg_noise_model_write(&text, &audit);
	if (!err)
		err = rg_noise_model_parse(&model, text.data, text.length);
	rg_buf_release(&text);
	rg_audit_release(&audit);
	if (err)
		return err;
	rg_arena_init(&arena);
	err = rg_noise_judge(out, &arena, &model, LEVEL, MADE_UP_FILE, &metric, RG_NEAR_ZERO);
	rg_arena_release(&arena);
	rg_noise_model_release(&model);
	return err;
}

static rg_error *show_few(simulation *s, const noise_kind *kind, double moved, size_t trials)
{
	made_up m = {.runs = FEW, .series = 1, .steps = STEPS};
	rg_random random = {(uint64_t)(kind - noise_kinds) + 1};
	double fresh[STEPS], share;
	size_t kinds[RG_VERDICTS] = {0};

	for (size_t t = 0; t < trials; t++) {
		rg_verdict verdict;

		for (size_t r = 0; r < FEW; r++)
			simulate_run(&random, kind, m.values[r], r, FEW + 1);
		simulate_run(&random, kind, fresh, FEW, FEW + 1);
		for (size_t i = 0; i < STEPS; i++)
			fresh[i] *= 1 + moved;
		RG_TRY(judge_new(&verdict, &m, fresh));
		kinds[verdict.kind]++;
	}
	share = (double)kinds[RG_VERDICT_OUTSIDE] / (double)trials;
	printf("%-24s %6.0f %% %10.1f %12.1f %10.1f\n", kind->name, 100 * moved, 100 * share,
	       100 * (double)kinds[RG_VERDICT_INCONCLUSIVE] / (double)trials,
	       100 * (double)kinds[RG_VERDICT_WITHIN] / (double)trials);
	/* Whatever ranks as the furthest of six is that in one of six cases. */
	if (moved == 0 && kind->exchangeable)
		simulate_at_most(s, share, LEVEL, trials, "runs, %d runs, %s: outside", FEW,
				 kind->name);
	if (moved > 0 && !strcmp(kind->name, "gaussian"))
		simulate_at_least(s, share, 0.95, trials, "runs, %d runs, %s, doubled: outside",
				  FEW, kind->name);
	return NULL;
}

rg_error *simulate_runs(simulation *s)
{
	size_t trials = s->brief ? 60 : 400;

	printf("\n%d runs, which are too few for %g %%, %zu trials: verdicts on one more, in %%\n"
	       "%-24s %8s %10s %12s %10s\n",
	       FEW, 100 * LEVEL, trials, "", "moved", "outside", "inconclusive", "within");
	for (size_t k = 0; k < noise_kind_count; k++) {
		RG_TRY(show_few(s, &noise_kinds[k], 0, trials));
		RG_TRY(show_few(s, &noise_kinds[k], 1, trials));
	}
	show_whole_runs(s);
	return NULL;
}
