/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/summary.h"

#include "base/order.h"
#include "base/pattern.h"

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
