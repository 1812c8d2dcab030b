/* What people read of two tensors: the figures out of their sums, the worst element, what differs.
 */
#include "compare/tensor.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double snr_db(const rg_tensor_sums *sums)
{
	const int scaled = sums->err_exponent - sums->ref_exponent;

	return 20 * log10(sqrt(sums->ref2) / sqrt(sums->err2)) + 20 * log10(2) * scaled;
}

rg_error *rg_tensor_stats_make(rg_tensor_stats **out, rg_arena *arena, const rg_tensor_sums *sums,
			       const rg_metric *shape)
{
	rg_tensor_stats *stats = rg_arena_alloc(arena, sizeof(*stats));
	double n = (double)sums->count;
	char worst[RG_SHAPE_TEXT];

	*out = stats;
	if (!stats)
		return rg_error_nomem();
	stats->count = sums->count;
	stats->l2 = sums->count ? ldexp(sqrt(sums->err2), -sums->err_exponent) : NAN;
	stats->mse = ldexp(sums->err2 / n, -2 * sums->err_exponent);
	stats->mae = ldexp(sums->abs_err / n, -sums->err_exponent);
	stats->mean_signed = ldexp(sums->err / n, -sums->err_exponent);
	stats->snr_db = sums->err2 > 0 ? snr_db(sums) : sums->count ? INFINITY : NAN;
	/* Divided first, so that equal sides give 1 and not a neighbour of it. */
	stats->cosine = sums->product / sums->ref2 / sqrt(sums->new2 / sums->ref2);
	stats->nonfinite_mismatches = sums->mismatches;
	stats->worst = sums->worst;
	stats->dimensions = shape->dimensions;
	rg_unravel(shape->shape, shape->dimensions, sums->worst, stats->worst_index);
	if (!sums->count)
		return NULL;
	rg_shape_text(stats->worst_index, stats->dimensions, worst);
	return rg_arena_text(arena, worst, &stats->worst_text);
}

bool rg_tensor_shapes_differ(const rg_metric *old, const rg_metric *new)
{
	return old->tensor && new->tensor && !rg_tensor_same_shape(old->tensor, new->tensor);
}

static rg_error *type_excerpt(rg_arena *arena, const rg_tensor *tensor, const char **out)
{
	char shape[RG_SHAPE_TEXT], text[RG_SHAPE_TEXT + 24];

	rg_shape_text(tensor->shape, tensor->dimensions, shape);
	snprintf(text, sizeof(text), "%s %s", rg_dtype_name(tensor->dtype), shape);
	return rg_arena_text(arena, text, out);
}

static rg_error *value_excerpt(rg_arena *arena, const rg_tensor *tensor, size_t at,
			       const char **out)
{
	char text[RG_DOUBLE_REPR_SIZE];
	double value;

	rg_tensor_values(tensor, at, 1, &value);
	rg_double_repr(value, text);
	return rg_arena_text(arena, text, out);
}

rg_error *rg_tensor_exact(rg_row *row, rg_arena *arena, const rg_metric *old, const rg_metric *new)
{
	bool shapes = rg_tensor_shapes_differ(old, new);
	size_t at = (size_t)row->first_diff;

	row->kind = RG_ROW_EXACT;
	if (shapes) {
		RG_TRY(type_excerpt(arena, old->tensor, &row->old_excerpt));
		return type_excerpt(arena, new->tensor, &row->new_excerpt);
	}
	if (row->identical)
		return NULL;
	RG_TRY(value_excerpt(arena, old->tensor, at, &row->old_excerpt));
	return value_excerpt(arena, new->tensor, at, &row->new_excerpt);
}
