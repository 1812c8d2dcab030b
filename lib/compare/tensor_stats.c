/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/tensor_stats.h"

#include "golden/tensor.h"

#include <math.h>
#include <stdio.h>

/* Sums of squares between these, of however many elements, have lost nothing that counts, and their
 * ratios are doubles. */
#define SMALL 0x1p-450
#define LARGE 0x1p500

/* Times 2 to this power, the square of a value beyond 2^250 or under 2^-225 is far from both ends
 * of the doubles. */
enum { STEP = 600 };

static int power_for(double sum)
{
	if (!(sum <= LARGE))
		return -STEP;
	return sum < SMALL ? STEP : 0;
}

bool rg_tensor_powers_find(rg_tensor_powers *out, const rg_pair_figures *figures)
{
	*out = (rg_tensor_powers){
		.err = figures->max_abs > 0 ? power_for(rg_sum_total(&figures->sums[RG_SUM_ERR2]))
					    : 0,
		.old = power_for(rg_sum_total(&figures->sums[RG_SUM_REF2])),
		.fresh = power_for(rg_sum_total(&figures->sums[RG_SUM_NEW2])),
	};
	return figures->finite && (out->err || out->old || out->fresh);
}

/* Brings a sum of squares near 1, so that it can be divided, and adds to *power what this takes. */
static double centred(double sum, int *power)
{
	int half = *power && sum > 0 ? ilogb(sum) / 2 : 0;
	*power -= half;
	return ldexp(sum, -2 * half);
}

static const char *name_types(rg_arena *arena, const rg_metric *old, const rg_metric *fresh)
{
	char text[64];
	if (!old->tensor || !fresh->tensor || old->tensor->dtype == fresh->tensor->dtype)
		return NULL;
	snprintf(text, sizeof(text), "%s -> %s", rg_dtype_name(old->tensor->dtype),
		 rg_dtype_name(fresh->tensor->dtype));
	return rg_arena_text(arena, text);
}

const rg_tensor_stats *rg_tensor_stats_make(rg_arena *arena, const rg_pair_figures *figures,
					    const rg_tensor_powers *powers,
					    const rg_pair_figures *err, const rg_pair_figures *refs,
					    const rg_metric *old, const rg_metric *fresh)
{
	rg_tensor_stats *stats = rg_arena_alloc(arena, sizeof(*stats));
	rg_tensor_powers by = *powers;
	double n = (double)figures->finite, err2, ref2, new2, product;
	double total = n +
		       (double)(figures->left_out.old_nonfinite + figures->left_out.new_nonfinite);
	char worst[RG_SHAPE_TEXT];

	err2 = centred(rg_sum_total(&err->sums[RG_SUM_ERR2]), &by.err);
	ref2 = centred(rg_sum_total(&refs->sums[RG_SUM_REF2]), &by.old);
	new2 = centred(rg_sum_total(&refs->sums[RG_SUM_NEW2]), &by.fresh);
	product = ldexp(rg_sum_total(&refs->sums[RG_SUM_PRODUCT]),
			by.old - powers->old + by.fresh - powers->fresh);
	stats->count = figures->finite;
	stats->l2 = figures->finite ? ldexp(sqrt(err2), -by.err) : NAN;
	stats->mse = ldexp(err2 / n, -2 * by.err);
	stats->mean_abs = ldexp(rg_sum_total(&err->sums[RG_SUM_ABS_ERR]) / n, -powers->err);
	stats->mean_signed = ldexp(rg_sum_total(&err->sums[RG_SUM_ERR]) / n, -powers->err);
	stats->snr_db = figures->finite ? INFINITY : NAN;
	if (err2 > 0)
		stats->snr_db = 20 * log10(sqrt(new2) / sqrt(err2)) +
				20 * log10(2) * (by.err - by.fresh);
	/* Divided first, so that equal sides give 1 and not a neighbour of it. */
	stats->cosine = product / ref2 / sqrt(new2 / ref2);
	stats->max_rel = figures->mismatches ? INFINITY : figures->max_rel_any;
	stats->share_differing = (double)figures->differing / total;
	stats->nonfinite_mismatches = figures->mismatches;
	stats->worst = figures->finite ? (size_t)figures->max_abs_at : 0;
	stats->types = name_types(arena, old, fresh);
	stats->dimensions = fresh->dimensions;
	rg_unravel(fresh->shape, fresh->dimensions, stats->worst, stats->worst_index);
	if (!figures->finite)
		return stats;
	rg_shape_text(stats->worst_index, stats->dimensions, worst);
	stats->worst_text = rg_arena_text(arena, worst);
	return stats;
}
