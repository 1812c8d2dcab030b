/* SPDX-License-Identifier: Apache-2.0 */
#include "story/review.h"

#include "compare/summary.h"

#include <math.h>
#include <stdlib.h>

bool rg_row_is_measured_noise(const rg_row *row)
{
	return row->verdict.kind == RG_VERDICT_WITHIN ||
	       (row->verdict.kind == RG_VERDICT_OUTSIDE && !row->verdict.stands_out);
}

bool rg_row_needs_review(const rg_row *row)
{
	bool flagged = row->level == RG_LEVEL_FLAG && !rg_row_is_measured_noise(row);
	/* Measured noise beats a configured level, but for a gate. */
	return flagged || row->level == RG_LEVEL_FAIL || row->verdict.stands_out ||
	       row->left_out.new_nonfinite || row->lost || row->filled || row->over.count ||
	       row->from_zero.needs_look || row->beside || row->check_needs_look || row->passed;
}

/* A mean of signed differences hides those that are four times as large on average. */
static const double CANCELS = 4;

/* Is the level compared with such a mean? */
static bool is_by_mean(const rg_metric_policy *policy)
{
	return policy->kind == RG_POLICY_RELATIVE && policy->aggregate == RG_AGGREGATE_NONE &&
	       policy->direction == RG_DIRECTION_BOTH;
}

bool rg_row_cancels(const rg_row *row, const rg_metric_policy *policy)
{
	return row->kind == RG_ROW_SERIES && !row->tensor && !row->by_largest &&
	       is_by_mean(policy) && row->mean_abs_rel > 0 &&
	       row->mean_abs_rel >= CANCELS * fabs(row->avg_rel_diff);
}

double rg_row_noise(const rg_row *row)
{
	const rg_tensor_stats *tensor = row->tensor;
	if (!tensor || row->max_abs == 0)
		return tensor && tensor->nonfinite_mismatches ? INFINITY : 0;
	return tensor->nonfinite_mismatches ? INFINITY : pow(10, -tensor->snr_db / 20);
}

double rg_row_hidden(const rg_row *row, const rg_metric_policy *policy)
{
	if (rg_row_cancels(row, policy))
		return row->mean_abs_rel;
	return row->tensor && is_by_mean(policy) ? rg_row_noise(row) : 0;
}

/* A row that is not a number any more is as bad as can be. */
static double badness(const rg_row *row)
{
	return row->kind == RG_ROW_SERIES && !row->left_out.new_nonfinite ? rg_row_size(row)
									  : INFINITY;
}

/* Rows that stand out from measured noise go by their distance from that. */
bool rg_row_is_worse(const rg_row *a, const rg_row *b)
{
	bool fails = a->level == RG_LEVEL_FAIL, out = a->verdict.stands_out;
	if (fails != (b->level == RG_LEVEL_FAIL))
		return fails;
	if (out != b->verdict.stands_out)
		return out;
	if (out && a->verdict.beyond != b->verdict.beyond)
		return a->verdict.beyond > b->verdict.beyond;
	return badness(a) > badness(b);
}

static int compare_worst(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	if (rg_row_is_worse(x, y))
		return -1;
	return rg_row_is_worse(y, x) ? 1 : x < y ? -1 : x > y;
}

void rg_rows_worst_first(const rg_row **rows, size_t count)
{
	qsort(rows, count, sizeof(const rg_row *), compare_worst);
}

rg_look rg_row_look(const rg_row *row)
{
	if (row->level == RG_LEVEL_FAIL)
		return RG_LOOK_FAILS;
	return rg_row_needs_review(row) ? RG_LOOK_MUST : RG_LOOK_NONE;
}
