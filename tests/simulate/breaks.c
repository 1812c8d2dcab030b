/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "simulate/made_up.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 24 };

typedef struct {
	const char *what;
	size_t series;  /* in all */
	size_t broken;  /* of them, the first ones */
	size_t from;    /* the run from which on they are off */
	double size;    /* in standard deviations */
	bool again;     /* and once more after as many runs */
	double follows; /* a run goes with the one before it by so much */
	double rises;   /* from the first run to the last, in standard deviations */
	double target;  /* the share to find under gaussian noise; 0: any */
} break_case;

static void make_values(made_up *m, const break_case *c, const noise_kind *kind, rg_random *random)
{
	m->runs = c->again ? 2 * RUNS : RUNS;
	m->series = c->series;
	m->steps = 1;
	for (size_t i = 0; i < c->series; i++) {
		double before = 0;
		for (size_t r = 0; r < m->runs; r++) {
			double noise, by = r ? c->follows : 0;

			kind->make(random, &noise, 1, r, m->runs);
			noise = before = by * before + sqrt(1 - by * by) * noise;
			if (i < c->broken && r >= c->from)
				noise += c->size;
			if (i < c->broken && c->again && r >= 2 * c->from)
				noise += c->size;
			noise += c->rises * (double)r / (double)m->runs;
			m->values[r][i] = 5 * (1 + SIMULATE_SIGMA * noise);
		}
	}
}

typedef struct {
	size_t any_false, found, named, drifts;
} tally;

/* A break of a series that has none is false, and one of many series together where at most one
 * has. */
static void count_trial(tally *out, const rg_audit *audit, const break_case *c)
{
	const rg_audit_file *file = &audit->files[0];
	bool wrong = audit->common_count && c->broken < 2, found = false, common = false;
	size_t named = 0;

	for (size_t i = 0; i < file->series_count; i++) {
		bool breaks = file->series[i].break_count > 0;

		wrong |= breaks && i >= c->broken;
		found |= !i && file->series[i].break_count > (c->again ? 1 : 0);
		named += breaks && i < c->broken;
		out->drifts += file->series[i].drifts;
	}
	for (size_t i = 0; i < audit->common_count; i++)
		common |= audit->common_breaks[i].run + 1 >= c->from &&
			  audit->common_breaks[i].run <= c->from + 1;
	/* Where the runs hang together, nothing is promised. */
	out->any_false += wrong && !audit->hang_together;
	out->found += c->broken > 1 ? common : found;
	out->named += named;
}

static rg_error *run_case(tally *out, const break_case *c, const noise_kind *kind, size_t trials)
{
	static made_up m;
	rg_random random = {c->series * 100 + c->from};

	*out = (tally){0};
	for (size_t t = 0; t < trials; t++) {
		rg_audit audit;

		make_values(&m, c, kind, &random);
		RG_TRY(made_up_audit(&audit, &m));
		count_trial(out, &audit, c);
		rg_audit_release(&audit);
	}
	return NULL;
}

/* False breaks are held for all kinds, for a permutation does not ask what they are. */
static rg_error *show_case(simulation *s, const break_case *c, const char *kind, size_t trials)
{
	double n = (double)trials;
	tally found;

	RG_TRY(run_case(&found, c, noise_find(kind), trials));
	printf("%-40s %10.1f %10.1f %10.1f %10.1f\n", c->what, 100 * (double)found.any_false / n,
	       100 * (double)found.found / n,
	       c->broken ? 100 * (double)found.named / (n * (double)c->broken) : 0,
	       100 * (double)found.drifts / (n * (double)c->series));
	/* A drift is one in nearly all audits: nothing but the runs themselves bounds that. */
	simulate_at_most(s, (double)found.any_false / n, c->rises > 0 ? 0.1 : 0.05, trials,
			 "breaks, %s, %s: any false", kind, c->what);
	if (c->rises > 5 && !strcmp(kind, "gaussian"))
		simulate_at_least(s, (double)found.drifts / (n * (double)c->series), 0.9, trials,
				  "breaks, %s, %s: drift", kind, c->what);
	if (c->target > 0 && !strcmp(kind, "gaussian"))
		simulate_at_least(s, (double)found.found / n, c->target, trials,
				  "breaks, %s, %s: found", kind, c->what);
	return NULL;
}

rg_error *simulate_breaks(simulation *s)
{
	static const break_case cases[] = {
		{"none in 10", 10, 0, 0, 0, false, 0, 0, 0},
		{"1 of 10, in the middle, 10 sd", 10, 1, 12, 10, false, 0, 0, 0.9},
		{"1 of 10, 3 runs before the end, 10 sd", 10, 1, 21, 10, false, 0, 0, 0.9},
		{"1 of 1, 3 runs before the end, 10 sd", 1, 1, 21, 10, false, 0, 0, 0.9},
		{"40 of 40, 3 runs before the end, 10 sd", 40, 40, 21, 10, false, 0, 0, 0.95},
		{"20 of 40, in the middle, 2 sd", 40, 20, 12, 2, false, 0, 0, 0},
		{"1 of 10, in the middle, 3 sd", 10, 1, 12, 3, false, 0, 0, 0},
		{"1 of 10, two steps of 3 sd, 48 runs", 10, 1, 16, 3, true, 0, 0, 0.9},
		{"none in 10, all rise by 3 sd", 10, 0, 0, 0, false, 0, 3, 0},
		{"none in 10, all rise by 10 sd", 10, 0, 0, 0, false, 0, 10, 0},
		{"none in 1, it rises by 10 sd", 1, 0, 0, 0, false, 0, 10, 0},
		{"none in 10, runs follow by 0.3", 10, 0, 0, 0, false, 0.3, 0, 0},
		{"none in 10, runs follow by 0.6", 10, 0, 0, 0, false, 0.6, 0, 0},
		{"none in 10, runs follow by 0.9", 10, 0, 0, 0, false, 0.9, 0, 0},
	};
	static const char *const kinds[] = {"gaussian", "t2", "quantised"};
	size_t trials = simulate_trials(s, 150, 20);

	for (size_t k = 0; k < (s->brief ? 1 : 3); k++) {
		printf("\nbreaks among %d runs, %s, %zu trials: in %%\n%-40s %10s %10s %10s %10s\n",
		       RUNS, kinds[k], trials, "", "any false", "found", "named", "drift");
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			if (!s->brief || i < 5)
				RG_TRY(show_case(s, &cases[i], kinds[k], trials));
	}
	return NULL;
}
