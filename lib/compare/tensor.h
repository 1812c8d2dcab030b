#ifndef REGILD_COMPARE_TENSOR_H
#define REGILD_COMPARE_TENSOR_H

#include "compare/row.h"
#include "golden/tensor.h"

#include <math.h>

/*
 * Two tensors of one type and shape, element by element, at the speed at which their bytes come:
 * in segments that all cores share, each in chunks that the compiler turns into vector
 * instructions. Only a segment a core is in memory at a time (rg_tensor.forget).
 *
 * The figures do not depend on how many cores there are, nor on their instruction set: a chunk's
 * elements are added in a fixed order, eight side by side and sixteen deep, and chunks and segments
 * with compensation, so that a sum's error does not grow with the tensor.
 */

/* Can rg_tensor_statistics take them? Both are tensors of the same type and shape. */
bool rg_tensor_is_pair(const rg_metric *old, const rg_metric *new);

/*
 * Fills what rg_series_statistics fills, but for level and score, over all elements. `identical`
 * and `first_diff` are about the tensors' own bits, whatever their byte order. Of several worst or
 * different elements, the first is the one that lies first where both tensors lie alike
 * (compare/tensor_pair.h). RG_E_NOMEM.
 */
RG_CHECKED rg_error *rg_tensor_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
					  const rg_metric *new);

/*
 * Calls `add` with all pairs; without `equal`, stretches that are equal on both sides are one call
 * with count 0 each.
 */
typedef rg_error *rg_tensor_pairs_fn(void *context, const double *old, const double *new,
				     size_t count);
RG_CHECKED rg_error *rg_tensor_pairs(const rg_metric *old, const rg_metric *new, bool equal,
				     rg_tensor_pairs_fn *add, void *context);

/* Are they tensors of different shapes, whose elements do not stand for each other? */
bool rg_tensor_shapes_differ(const rg_metric *old, const rg_metric *new);

/*
 * Two tensors that make no series row, as an exact one: of different shapes (the excerpts are type
 * and shape), or of one shape but with nothing on the old side that counts (the excerpts are the
 * first elements that differ; `row` has rg_tensor_statistics' figures).
 */
RG_CHECKED rg_error *rg_tensor_exact(rg_row *row, rg_arena *arena, const rg_metric *old,
				     const rg_metric *new);

/* Of two values, one of which at least is not finite: not both NaN, and not the same infinity? */
static inline bool rg_is_mismatch(double old, double new)
{
	return !(isnan(old) && isnan(new)) && !(old == new);
}

/* Sums over the elements that are finite on both sides, however they were made. */
typedef struct {
	double err2, ref2, new2, product, abs_err, err;
	size_t count;      /* of such elements */
	size_t mismatches; /* rg_tensor_stats.nonfinite_mismatches */
	size_t worst;      /* element */
	/* All elements of a side are zeros: its sum of squares is 0 for that, and not too small to
	 * be told from it. False where that is not known. */
	bool old_is_zero, new_is_zero;
	/* What was summed had been multiplied by 2 to these powers (compare/tensor_norms.h): err in
	 * err2, abs_err and err, ref in ref2 and product; a third one, in new2 and product, cancels
	 * out in all that they are for. */
	int err_exponent, ref_exponent;
} rg_tensor_sums;

/* The figures for people, in `arena`; `shape` is that of either side. */
RG_CHECKED rg_error *rg_tensor_stats_make(rg_tensor_stats **out, rg_arena *arena,
					  const rg_tensor_sums *sums, const rg_metric *shape);

#endif
