/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/summary.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/pattern.h"
#include "base/sum.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The first that matches counts. */
static const struct {
	const char *pattern;
	rg_metric_class is;
} patterns[] = {
	{"*loss[-_ ]scale*", RG_CLASS_VALUE}, {"*loss*", RG_CLASS_LOSS},
	{"*perplexity*", RG_CLASS_LOSS},      {"mem-*", RG_CLASS_MEMORY},
	{"*memory*", RG_CLASS_MEMORY},        {"*_mem", RG_CLASS_MEMORY},
	{"num[-_]*", RG_CLASS_COUNT},
};

rg_metric_class rg_metric_class_of(const char *metric)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (rg_glob_match(patterns[i].pattern, metric,
				  RG_GLOB_ANY_SLASH | RG_GLOB_IGNORE_CASE))
			return patterns[i].is;
	return RG_CLASS_VALUE;
}

rg_metric_class rg_row_class(const rg_row *row)
{
	static const rg_metric_class classes[] = {
		[RG_MEASURE_DURATION] = RG_CLASS_TIME, [RG_MEASURE_RATE] = RG_CLASS_RATE};
	return row->measure ? classes[row->measure] : rg_metric_class_of(row->metric);
}

const char *const rg_bucket_names[RG_BUCKETS] = {
	"== 0",         "(0, 1e-6)",    "[1e-6, 1e-4)", "[1e-4, 1e-3)",
	"[1e-3, 1e-2)", "[1e-2, 1e-1)", ">= 1e-1",
};

size_t rg_bucket_of(double size)
{
	static const double bounds[] = {1e-6, 1e-4, 1e-3, 1e-2, 1e-1};
	size_t i = 0;

	size = fabs(size);
	if (size == 0)
		return 0;
	while (i < sizeof(bounds) / sizeof(bounds[0]) && size >= bounds[i])
		i++;
	return i + 1;
}

double rg_row_size(const rg_row *row)
{
	if (row->tensor)
		return isnan(row->tensor->max_rel) ? 0 : row->tensor->max_rel;
	if (!(row->moved > 0) && row->from_zero.count)
		return INFINITY;
	return isnan(row->moved) ? 0 : row->moved;
}

void rg_bucket_counts(const rg_comparison *comparison, size_t counts[static RG_BUCKETS])
{
	memset(counts, 0, RG_BUCKETS * sizeof(*counts));
	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		/* A row that went from zero has no relative figure: it is in the last bucket. */
		if (rg_row_has_size(row))
			counts[row->from_zero.count ? RG_BUCKETS - 1
						    : rg_bucket_of(rg_row_size(row))]++;
	}
}

static int compare_by_metric(const void *a, const void *b)
{
	const rg_row *left = *(const rg_row *const *)a, *right = *(const rg_row *const *)b;
	int by_name = strcmp(left->metric, right->metric);

	if (by_name && rg_row_class(left) != rg_row_class(right))
		return (int)rg_row_class(left) - (int)rg_row_class(right);
	if (by_name)
		return by_name;
	return left < right ? -1 : left > right; /* they lie in one array */
}

bool rg_median_interval(double *values, size_t count, double *low, double *high)
{
	double log_term = -(double)count * log(2), tail = 0;
	size_t rank;

	/* The interval leaves out so many values at each end that a fair coin's tails are as few in
	 * at most 2.5 % of cases. */
	for (rank = 0; rank < count; rank++) {
		tail += exp(log_term);
		if (tail > 0.025)
			break;
		log_term += log((double)(count - rank) / (double)(rank + 1));
	}
	*low = *high = NAN;
	if (!rank)
		return false;
	qsort(values, count, sizeof(*values), rg_compare_doubles);
	*low = values[rank - 1];
	*high = values[count - rank];
	return true;
}

/* `sizes` has room for `count`. */
static rg_metric_summary summarise(const rg_row *const *rows, size_t count, double *sizes)
{
	rg_sum sum = {0};
	size_t relative = 0;

	rg_metric_summary summary = (rg_metric_summary){.metric = rows[0]->metric, .n = count};
	for (size_t i = 0; i < count; i++) {
		sizes[i] = rg_row_size(rows[i]);
		summary.max = fmax(summary.max, sizes[i]);
	}
	summary.median = rg_median(sizes, count);
	for (size_t i = 0; i < count; i++)
		if (!isnan(rows[i]->avg_rel_diff)) {
			sizes[relative++] = rows[i]->avg_rel_diff;
			rg_sum_add(&sum, rows[i]->avg_rel_diff);
		}
	summary.mean_signed = relative ? rg_sum_total(&sum) / (double)relative : NAN;
	rg_median_interval(sizes, relative, &summary.low, &summary.high);
	return summary;
}

void rg_metric_summaries_make(rg_metric_summaries *out, const rg_comparison *comparison)
{
	size_t total = comparison->series_rows, to;
	RG_AUTO_FREE const rg_row **rows = rg_calloc(total + 1, sizeof(const rg_row *));
	RG_AUTO_FREE double *sizes = rg_malloc((total + 1) * sizeof(*sizes));
	size_t count = 0;
	for (size_t i = 0; i < comparison->row_count; i++)
		if (rg_row_has_size(&comparison->rows[i]))
			rows[count++] = &comparison->rows[i];
	qsort(rows, total, sizeof(const rg_row *), compare_by_metric);
	for (size_t from = 0; from < total; from = to) {
		to = from + 1;
		while (to < total && !strcmp(rows[from]->metric, rows[to]->metric))
			to++;
		*RG_PUSH(out->items, out->count, out->capacity) =
			summarise(rows + from, to - from, sizes);
	}
}

void rg_metric_summaries_release(rg_metric_summaries *list)
{
	free(list->items);
	*list = (rg_metric_summaries){0};
}
