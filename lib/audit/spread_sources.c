/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RG_ORDER_OF_POINTERS(by_commit, rg_audit_run, RG_BY_TEXT(commit) || RG_BY(x, y));

void rg_audit_number_commits(rg_audit *audit)
{
	const rg_audit_run **sorted = rg_calloc(audit->run_count + 1, sizeof(const rg_audit_run *));
	size_t *commits = rg_arena_alloc(&audit->arena, (audit->run_count + 1) * sizeof(*commits));
	size_t first = 0;
	for (size_t i = 0; i < audit->run_count; i++)
		sorted[i] = &audit->runs[i];
	if (audit->run_count)
		qsort(sorted, audit->run_count, sizeof(*sorted), by_commit);
	for (size_t i = 0; i < audit->run_count; i++) {
		if (!*sorted[i]->commit || strcmp(sorted[i]->commit, sorted[first]->commit) != 0)
			first = i;
		commits[sorted[i] - audit->runs] = (size_t)(sorted[first] - audit->runs);
	}
	free(sorted);
	audit->commits = commits;
}

/* Variants of one test measure one thing. */
RG_ORDER_OF_POINTERS(by_kind, rg_audit_series, RG_BY_TEXT(metric) || RG_BY_TEXT(test));
RG_ORDER_OF_POINTERS(by_kind_and_file, rg_audit_series,
		     RG_BY_TEXT(metric) || RG_BY_TEXT(test) || RG_BY_PATH(file));

static bool is_measured(const rg_audit_series *series, size_t row)
{
	return isfinite(series->noise.deviations[row]) && isfinite(series->noise.means[row]);
}

/* A kind's values in units of how large they usually are: metrics and tests are of different
 * sizes. */
static void scale(rg_component_value *values, size_t count)
{
	rg_sum sizes = {0, 0};
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sizes, fabs(values[i].value));
	for (size_t i = 0; i < count && rg_sum_total(&sizes) > 0; i++)
		values[i].value /= rg_sum_mean(&sizes, count);
}

/* The runs' means of series of one kind in the newest regime, without bad runs. */
static size_t list_values(rg_component_value *out, const rg_audit *audit,
			  const rg_audit_series *const *series, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t row = 0; row < series[i]->row_count; row++)
			if (is_measured(series[i], row))
				out[n++] = (rg_component_value){
					.variant = i,
					.commit = audit->commits[series[i]->row_runs[row]],
					.run = series[i]->row_runs[row],
					.value = series[i]->noise.means[row]};
	scale(out, n);
	return n;
}

/* How many of the sorted series are of the first one's kind, and the rows that these have. */
static size_t count_kind(const rg_audit_series *const *series, size_t count, size_t *rows)
{
	size_t i = 0;
	for (*rows = 0; i < count && !by_kind(&series[0], &series[i]); i++)
		*rows += series[i]->row_count;
	return i;
}

/* Kind by kind: of all of them, the values would be most of an audit's memory. */
static void add_kinds(rg_component_analysis *analysis, const rg_audit *audit,
		      const rg_audit_series *const *series, size_t count)
{
	size_t kind, rows;
	for (; count; series += kind, count -= kind) {
		rg_component_value *values;
		kind = count_kind(series, count, &rows);
		values = rg_calloc(rows + 1, sizeof(*values));
		rg_components_add(analysis, values, list_values(values, audit, series, kind));
		free(values);
	}
}

void rg_audit_find_sources(rg_components *out, const rg_audit *audit,
			   const rg_audit_series *const *series, size_t count)
{
	const rg_audit_series **sorted = rg_calloc(count + 1, sizeof(const rg_audit_series *));
	rg_component_analysis *analysis;
	rg_components_begin(&analysis, audit->run_count);
	if (count) {
		memcpy(sorted, series, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), by_kind_and_file);
	}
	add_kinds(analysis, audit, sorted, count);
	rg_components_finish(out, analysis);
	free(sorted);
}
