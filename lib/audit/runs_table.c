#include "audit/runs_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_runs_table_init(rg_runs_table *table, int64_t start_step, size_t bound)
{
	*table = (rg_runs_table){.start_step = start_step};
	rg_spill_init(&table->values, bound);
	rg_arena_init(&table->arena);
}

void rg_runs_table_release(rg_runs_table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		free(table->metrics[i]->rows);
		free(table->metrics[i]->sets);
	}
	free(table->metrics);
	free(table->scratch);
	free(table->counted);
	rg_spill_release(&table->values);
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
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t word;

		memcpy(&word, (const char *)words + i * sizeof(word), sizeof(word));
		hash = mix(hash, word);
	}
	return mix(hash, count);
}

/* Where `name` stands or would stand. Goldens come sorted, so the one behind the last is asked
 * first. */
static bool find_metric(const rg_runs_table *table, const char *name, size_t hint, size_t *at)
{
	size_t low = 0, high = table->count;

	if (hint < table->count && !strcmp(table->metrics[hint]->name, name)) {
		*at = hint;
		return true;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(table->metrics[middle]->name, name);

		if (order == 0) {
			*at = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return false;
}

static rg_error *get_metric(rg_runs_table *table, const char *name, size_t *hint,
			    rg_runs_metric **out)
{
	rg_runs_metric *metric;
	size_t at;

	if (find_metric(table, name, *hint, &at)) {
		*out = table->metrics[at];
		*hint = at + 1;
		return NULL;
	}
	metric = rg_arena_alloc(&table->arena, sizeof(*metric));
	if (!metric)
		return rg_error_nomem();
	metric->name = rg_arena_copy(&table->arena, name, strlen(name));
	if (!metric->name)
		return rg_error_nomem();
	metric->kind = rg_tolerance_kind_of(name);
	RG_TRY(rg_grow(&table->metrics, &table->capacity, table->count + 1,
		       sizeof(*table->metrics)));
	memmove(table->metrics + at + 1, table->metrics + at,
		(table->count - at) * sizeof(*table->metrics));
	table->metrics[at] = metric;
	table->count++;
	*hint = at + 1;
	*out = metric;
	return NULL;
}

static bool same_steps(const rg_step_set *set, const int64_t *steps, size_t count, uint64_t hash)
{
	return set->count == count && set->hash == hash &&
	       (!count || !memcmp(set->steps, steps, count * sizeof(*steps)));
}

/* Most runs have the steps of the run before. */
static rg_error *get_set(rg_runs_table *table, rg_runs_metric *metric, const int64_t *steps,
			 size_t count, size_t *out)
{
	uint64_t hash = hash_words(0, steps, count);
	rg_step_set *set;
	int64_t *copy;
	size_t i;

	for (i = metric->set_count; i > 0; i--)
		if (same_steps(&metric->sets[i - 1], steps, count, hash)) {
			*out = i - 1;
			return NULL;
		}
	RG_TRY(rg_grow(&metric->sets, &metric->set_capacity, metric->set_count + 1,
		       sizeof(*metric->sets)));
	copy = rg_arena_alloc(&table->arena, (count + 1) * sizeof(*copy));
	if (!copy)
		return rg_error_nomem();
	if (count)
		memcpy(copy, steps, count * sizeof(*copy));
	set = &metric->sets[metric->set_count];
	set->steps = copy;
	set->count = count;
	set->hash = hash;
	*out = metric->set_count++;
	return NULL;
}

static double figure_of(const rg_runs_table *table, const rg_runs_metric *metric, double *values,
			size_t count)
{
	size_t kept = 0, i;

	if (metric->kind == RG_TOLERANCE_BY_STEP)
		return NAN;
	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[kept++] = values[i];
	return rg_tolerance_figure(metric->kind, values, kept, table->start_step);
}

/* `values` are scratch: they are reordered. */
static rg_error *add_row(rg_runs_table *table, rg_runs_metric *metric, size_t run,
			 const int64_t *steps, double *values, size_t count)
{
	rg_runs_row *row;

	RG_TRY(rg_grow(&metric->rows, &metric->row_capacity, metric->row_count + 1,
		       sizeof(*metric->rows)));
	row = &metric->rows[metric->row_count];
	row->run = run;
	RG_TRY(get_set(table, metric, steps, count, &row->steps));
	RG_TRY(rg_spill_add(&table->values, values, count, &row->place));
	row->bits = hash_words(metric->sets[row->steps].hash, values, count);
	row->figure = figure_of(table, metric, values, count);
	metric->row_count++;
	return NULL;
}

static rg_error *count_to(rg_runs_table *table, size_t count)
{
	RG_TRY(rg_grow(&table->counted, &table->counted_capacity, count, sizeof(*table->counted)));
	for (; table->counted_count < count; table->counted_count++)
		table->counted[table->counted_count] = (int64_t)table->counted_count;
	return NULL;
}

static rg_error *add_series(rg_runs_table *table, size_t run, const rg_metric *series, size_t *hint)
{
	rg_runs_metric *metric;

	RG_TRY(get_metric(table, series->name, hint, &metric));
	RG_TRY(rg_grow(&table->scratch, &table->scratch_capacity, series->count + 1,
		       sizeof(*table->scratch)));
	RG_TRY(rg_metric_read(series, 0, series->count, table->scratch));
	if (!series->steps)
		RG_TRY(count_to(table, series->count));
	return add_row(table, metric, run, series->steps ? series->steps : table->counted,
		       table->scratch, series->count);
}

/* What requests of an inference golden add up to. */
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

static rg_error *mean_of(rg_runs_table *table, const rg_metric *series, double *out)
{
	rg_sum sum = {0, 0};
	size_t i;

	RG_TRY(rg_grow(&table->scratch, &table->scratch_capacity, series->count + 1,
		       sizeof(*table->scratch)));
	RG_TRY(rg_metric_read(series, 0, series->count, table->scratch));
	for (i = 0; i < series->count; i++)
		rg_sum_add(&sum, table->scratch[i]);
	*out = rg_sum_total(&sum) / (double)series->count;
	return NULL;
}

/* "REQUEST/FIELD" with a FIELD of the table above: its place there, else -1. */
static int derivation_of(const rg_metric *series)
{
	const char *slash = strchr(series->name, '/');
	int i;

	if (!slash || series->kind != RG_METRIC_SERIES || !series->count)
		return -1;
	for (i = 0; i < DERIVATIONS; i++)
		if (!strcmp(slash + 1, derivations[i].field))
			return derivations[i].mean_of_list || series->count == 1 ? i : -1;
	return -1;
}

static rg_error *add_derived(rg_runs_table *table, size_t run, const rg_golden *golden,
			     const request_sum *sums)
{
	static const int64_t steps[] = {0, 1};
	size_t i, hint = 0;

	for (i = 0; i < DERIVATIONS; i++) {
		rg_runs_metric *metric;
		double total = rg_sum_total(&sums[i].sum);
		double values[2] = {total / (double)sums[i].count, total};

		/* A metric of that very name in the file itself comes first. */
		if (!sums[i].count || rg_golden_find(golden, derivations[i].name))
			continue;
		RG_TRY(get_metric(table, derivations[i].name, &hint, &metric));
		metric->derived = true;
		RG_TRY(add_row(table, metric, run, steps, values,
			       derivations[i].total_too ? 2 : 1));
	}
	return NULL;
}

rg_error *rg_runs_table_add(rg_runs_table *table, size_t run, const rg_golden *golden)
{
	request_sum sums[DERIVATIONS] = {{{0, 0}, 0}};
	size_t i, hint = 0;

	table->runs++;
	for (i = 0; i < golden->count; i++) {
		const rg_metric *series = &golden->metrics[i];
		int derived = derivation_of(series);
		double value;

		if (series->kind != RG_METRIC_SERIES)
			continue;
		RG_TRY(add_series(table, run, series, &hint));
		if (derived < 0)
			continue;
		RG_TRY(mean_of(table, series, &value));
		rg_sum_add(&sums[derived].sum, value);
		sums[derived].count++;
	}
	return add_derived(table, run, golden, sums);
}

const char *rg_derived_step_name(int64_t step)
{
	return step == 0 ? "mean" : "total";
}
