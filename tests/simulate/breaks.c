/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulate.h"

#include "audit/audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 24, SERIES_MAX = 40 };
#define SIGMA 1e-3

/* Goldens of one step a metric, made up. */
typedef struct {
	double values[RUNS][SERIES_MAX];
	size_t series;
	char names[SERIES_MAX][8];
} made_up;

static rg_error *read_made_up(void *context, size_t run, size_t file, rg_buf *bytes,
			      rg_golden **out)
{
	made_up *from = context;
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_metric *metrics;

	(void)file, (void)bytes;
	*out = golden;
	if (!golden)
		return rg_error_nomem();
	rg_arena_init(&golden->arena);
	metrics = rg_arena_alloc(&golden->arena, from->series * sizeof(*metrics));
	for (size_t i = 0; metrics && i < from->series; i++)
		metrics[i] = (rg_metric){.name = from->names[i],
					 .kind = RG_METRIC_SERIES,
					 .count = 1,
					 .values = &from->values[run][i]};
	golden->format = "json";
	golden->metrics = metrics;
	golden->count = from->series;
	return metrics ? NULL : rg_error_nomem();
}

typedef struct {
	const char *what;
	size_t series; /* in all */
	size_t broken; /* of them, the first ones */
	size_t from;   /* the run from which on they are off */
	double size;   /* in standard deviations */
} break_case;

static void make_values(made_up *m, const break_case *c, const noise_kind *kind, rg_random *random)
{
	m->series = c->series;
	for (size_t i = 0; i < c->series; i++) {
		snprintf(m->names[i], sizeof(m->names[i]), "m%02zu", i);
		for (size_t r = 0; r < RUNS; r++) {
			double noise;

			kind->make(random, &noise, 1, r, RUNS);
			if (i < c->broken && r >= c->from)
				noise += c->size;
			m->values[r][i] = 5 * (1 + SIGMA * noise);
		}
	}
}

typedef struct {
	size_t any_false, found, named;
} tally;

/* A break of a series that has none is false, and one of many series together where none has. */
static void count_trial(tally *out, const rg_audit *audit, const break_case *c)
{
	const rg_audit_file *file = &audit->files[0];
	bool wrong = audit->common_count && !c->broken, found = false, common = false;
	size_t named = 0;

	for (size_t i = 0; i < file->series_count; i++) {
		bool breaks = file->series[i].break_count > 0;

		wrong |= breaks && i >= c->broken;
		found |= breaks && !i;
		named += breaks && i < c->broken;
	}
	for (size_t i = 0; i < audit->common_count; i++)
		common |= audit->common_breaks[i].run + 1 >= c->from &&
			  audit->common_breaks[i].run <= c->from + 1;
	out->any_false += wrong;
	out->found += c->broken > 1 ? common : found;
	out->named += named;
}

static rg_error *run_case(tally *out, const break_case *c, const noise_kind *kind, size_t trials)
{
	static made_up m;
	static rg_audit_run list[RUNS];
	const char *const path = "golden.json";
	rg_audit_source source = {.runs = list,
				  .run_count = RUNS,
				  .files = &path,
				  .file_count = 1,
				  .read = read_made_up,
				  .context = &m};
	const rg_audit_options options = {
		.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};
	rg_random random = {c->series * 100 + c->from};

	*out = (tally){0};
	for (size_t r = 0; r < RUNS; r++)
		list[r] = (rg_audit_run){"run", "", "", ""};
	for (size_t t = 0; t < trials; t++) {
		rg_audit audit;

		make_values(&m, c, kind, &random);
		RG_TRY(rg_audit_make(&audit, &source, &options));
		count_trial(out, &audit, c);
		rg_audit_release(&audit);
	}
	return NULL;
}

rg_error *simulate_breaks(size_t trials)
{
	static const break_case cases[] = {
		{"none in 10", 10, 0, 0, 0},
		{"1 of 10, in the middle, 10 sd", 10, 1, 12, 10},
		{"1 of 10, 3 runs before the end, 10 sd", 10, 1, 21, 10},
		{"1 of 1, 3 runs before the end, 10 sd", 1, 1, 21, 10},
		{"40 of 40, 3 runs before the end, 10 sd", 40, 40, 21, 10},
		{"20 of 40, in the middle, 2 sd", 40, 20, 12, 2},
		{"1 of 10, in the middle, 3 sd", 10, 1, 12, 3},
	};
	static const char *const kinds[] = {"gaussian", "t2", "quantised"};

	for (size_t k = 0; k < 3; k++) {
		printf("\nbreaks among %d runs, %s: in %%\n%-40s %10s %10s %10s\n", RUNS, kinds[k],
		       "", "any false", "found", "named");
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
			const break_case *c = &cases[i];
			tally found;

			RG_TRY(run_case(&found, c, noise_find(kinds[k]), trials));
			printf("%-40s %10.1f %10.1f %10.1f\n", c->what,
			       100 * (double)found.any_false / (double)trials,
			       100 * (double)found.found / (double)trials,
			       c->broken ? 100 * (double)found.named / (double)(trials * c->broken)
					 : 0);
		}
	}
	return NULL;
}
