/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_AUDIT_RUNS_H
#define REGILD_TESTS_AUDIT_RUNS_H

/* Runs made of numbers, for the audit's tests: one golden, "a/golden.json", by run, metric, step.
 */

#include "audit/audit.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	size_t runs, metrics, steps;
	const double *values; /* [run][metric][step] */
	const char *const *names;
	size_t short_run; /* it has a step less; SIZE_MAX: none */
	size_t without;   /* this run has no last metric; SIZE_MAX: none */
	size_t broken;    /* this run's golden cannot be read; SIZE_MAX: none */
	size_t files;
	rg_audit_run *list;
	const char *paths[8];
	rg_metric shared[8]; /* of the golden that was read last; an arena each would take time */
} number_runs;

static const char *const number_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static rg_error *read_numbers(void *context, size_t run, size_t file, rg_buf *bytes,
			      rg_golden **out)
{
	number_runs *runs = context;
	rg_metric *metrics = runs->shared;
	rg_golden *golden;
	size_t i;

	(void)bytes;
	(void)file;
	if (run == runs->broken)
		return rg_error_new(RG_E_PARSE, "byte 0: not JSON");
	golden = calloc(1, sizeof(*golden));
	rg_arena_init(&golden->arena);
	for (i = 0; i < runs->metrics; i++) {
		metrics[i] = (rg_metric){0};
		metrics[i].name = runs->names[i];
		metrics[i].kind = RG_METRIC_SERIES;
		metrics[i].count = runs->steps - (run == runs->short_run);
		metrics[i].values = runs->values + (run * runs->metrics + i) * runs->steps;
	}
	golden->format = "json";
	golden->metrics = metrics;
	golden->count = runs->metrics - (run == runs->without);
	*out = golden;
	return NULL;
}

static number_runs make_runs(const double *values, size_t runs, size_t metrics, size_t steps)
{
	number_runs out = {.runs = runs,
			   .metrics = metrics,
			   .steps = steps,
			   .values = values,
			   .names = number_names,
			   .short_run = SIZE_MAX,
			   .without = SIZE_MAX,
			   .broken = SIZE_MAX,
			   .files = 1};
	static const char *const ids[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
	size_t i;

	out.list = calloc(runs + 1, sizeof(*out.list));
	for (i = 0; i < runs; i++)
		out.list[i] =
			(rg_audit_run){ids[i % 8], "2026-04-02T00:00:00Z", "main", ids[i % 4]};
	out.paths[0] = "a/golden.json";
	out.paths[1] = "b/golden.json";
	return out;
}

static void free_runs(number_runs *runs)
{
	free(runs->list);
}

static rg_audit_source source_of(number_runs *runs)
{
	return (rg_audit_source){.runs = runs->list,
				 .run_count = runs->runs,
				 .files = runs->paths,
				 .file_count = runs->files,
				 .read = read_numbers,
				 .context = runs};
}

static const rg_audit_options usual_options = {
	.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};

#endif
