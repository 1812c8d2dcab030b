/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/runs_table.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_runs_table_init(rg_runs_table *table, int64_t start_step)
{
	*table = (rg_runs_table){.start_step = start_step};
	rg_arena_init(&table->arena);
}

void rg_runs_table_release(rg_runs_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->metrics[i]->rows);
		free(table->metrics[i]->sets);
	}
	free(table->metrics);
	free(table->counted);
	rg_arena_release(&table->arena);
}

/* 64 bits at a time; two runs that differ in one bit get the same hash once in 2^64. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xff51afd7ed558ccdu;
	return (hash ^ (hash >> 32)) * 0xc4ceb9fe1a85ec53u;
}

static uint64_t hash_words(uint64_t hash, const void *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t word;
		memcpy(&word, (const char *)words + i * sizeof(word), sizeof(word));
		hash = mix(hash, word);
	}
	return mix(hash, count);
}

/* The metric of that name at *at or after it; *at moves there. So the metrics of a golden, which
 * come sorted, are found in one pass. */
static rg_runs_metric *get_metric(rg_runs_table *table, const char *name, size_t *at)
{
	while (*at < table->count && strcmp(table->metrics[*at]->name, name) < 0)
		++*at;
	if (*at < table->count && !strcmp(table->metrics[*at]->name, name))
		return table->metrics[*at];
	rg_grow(&table->metrics, &table->capacity, table->count + 1, sizeof(*table->metrics));
	rg_runs_metric *added = rg_arena_alloc(&table->arena, sizeof(*added));
	added->name = rg_arena_text(&table->arena, name);
	added->kind = rg_tolerance_kind_of(name);
	memmove(table->metrics + *at + 1, table->metrics + *at,
		(table->count++ - *at) * sizeof(*table->metrics));
	return table->metrics[*at] = added;
}

/* Most runs have the steps of the run before. */
static size_t get_set(rg_runs_table *table, rg_runs_metric *metric, const int64_t *steps,
		      size_t count)
{
	uint64_t hash = hash_words(0, steps, count);
	for (size_t i = metric->set_count; i > 0; i--) {
		const rg_step_set *set = &metric->sets[i - 1];
		if (set->count == count && set->hash == hash &&
		    (!count || !memcmp(set->steps, steps, count * sizeof(*steps))))
			return i - 1;
	}
	int64_t *copy = rg_arena_alloc(&table->arena, (count + 1) * sizeof(*copy));
	if (count)
		memcpy(copy, steps, count * sizeof(*copy));
	*RG_PUSH(metric->sets, metric->set_count, metric->set_capacity) =
		(rg_step_set){copy, count, hash};
	return metric->set_count - 1;
}

/* The figure that a run's tolerance is compared with; NaN: it goes step by step. */
static double figure_of(const rg_runs_table *table, const rg_runs_metric *metric,
			const double *values, size_t count)
{
	size_t kept = 0;
	if (metric->kind == RG_TOLERANCE_BY_STEP)
		return NAN;
	RG_AUTO_FREE double *copy = rg_malloc((count + 1) * sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			copy[kept++] = values[i];
	return rg_tolerance_figure(metric->kind, copy, kept, table->start_step);
}

/* `values` stay as long as the table. */
static void append_row(rg_runs_table *table, rg_runs_metric *metric, size_t run,
		       const int64_t *steps, const double *values, size_t count)
{
	size_t set = get_set(table, metric, steps, count);
	*RG_PUSH(metric->rows, metric->row_count, metric->row_capacity) =
		(rg_runs_row){.run = run,
			      .values = values,
			      .steps = set,
			      .bits = hash_words(metric->sets[set].hash, values, count),
			      .figure = figure_of(table, metric, values, count)};
}

/* *values: the series', in the table. */
static rg_error *append_series(rg_runs_table *table, size_t run, const rg_metric *series,
			       size_t *at, double **values)
{
	rg_runs_metric *metric = get_metric(table, series->name, at);
	*values = rg_arena_alloc(&table->arena, (series->count + 1) * sizeof(**values));
	RG_TRY(rg_metric_read(series, 0, series->count, *values));
	if (!series->steps) {
		rg_grow(&table->counted, &table->counted_capacity, series->count,
			sizeof(*table->counted));
		for (; table->counted_count < series->count; table->counted_count++)
			table->counted[table->counted_count] = (int64_t)table->counted_count;
	}
	append_row(table, metric, run, series->steps ? series->steps : table->counted, *values,
		   series->count);
	return NULL;
}

/* Metrics that requests of an inference golden add up to. */
typedef struct {
	const char *field; /* "REQUEST/FIELD" */
	const char *name;
	bool mean_of_list;
	bool total_too;
} derivation;

static const derivation derivations[] = {
	{"latency", "latency", false, true},
	{"step_count", "step_count", false, false},
	{"prompt_logprobs", "prompt_logprob_mean", true, false},
	{"generated_log_probs", "generated_logprob_mean", true, false},
};

enum { DERIVATIONS = sizeof(derivations) / sizeof(derivations[0]) };

typedef struct {
	rg_sum sum;
	size_t count;
} request_sum;

/* "REQUEST/FIELD" with a FIELD of the table above: its place there, else -1. */
static int derivation_of(const rg_metric *series)
{
	const char *slash = strchr(series->name, '/');
	if (!slash || series->kind != RG_METRIC_SERIES || !series->count)
		return -1;
	for (int i = 0; i < DERIVATIONS; i++)
		if (!strcmp(slash + 1, derivations[i].field))
			return derivations[i].mean_of_list || series->count == 1 ? i : -1;
	return -1;
}

static void append_derived(rg_runs_table *table, size_t run, const rg_golden *golden,
			   const request_sum *sums)
{
	static const int64_t steps[] = {0, 1};
	for (size_t i = 0; i < DERIVATIONS; i++) {
		double total = rg_sum_total(&sums[i].sum);
		size_t at = 0;
		/* A metric of that very name in the file itself comes first. */
		if (!sums[i].count || rg_golden_find(golden, derivations[i].name))
			continue;
		rg_runs_metric *metric = get_metric(table, derivations[i].name, &at);
		metric->derived = true;
		double *values = rg_arena_alloc(&table->arena, 2 * sizeof(*values));
		values[0] = total / (double)sums[i].count;
		values[1] = total;
		append_row(table, metric, run, steps, values, derivations[i].total_too ? 2 : 1);
	}
}

rg_error *rg_runs_table_add(rg_runs_table *table, size_t run, const rg_golden *golden)
{
	request_sum sums[DERIVATIONS] = {{{0, 0}, 0}};
	size_t at = 0;

	table->runs++;
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *series = &golden->metrics[i];
		int derived = derivation_of(series);
		double *values;

		if (series->kind != RG_METRIC_SERIES)
			continue;
		RG_TRY(append_series(table, run, series, &at, &values));
		if (derived < 0)
			continue;
		rg_sum sum = {0, 0};
		for (size_t k = 0; k < series->count; k++)
			rg_sum_add(&sum, values[k]);
		rg_sum_add(&sums[derived].sum, rg_sum_total(&sum) / (double)series->count);
		sums[derived].count++;
	}
	append_derived(table, run, golden, sums);
	return NULL;
}

const char *rg_derived_step_name(int64_t step)
{
	return step == 0 ? "mean" : "total";
}
