#ifndef REGILD_COMPARE_TENSOR_NORMS_H
#define REGILD_COMPARE_TENSOR_NORMS_H

#include "base/sum.h"
#include "compare/tensor.h"

#include <stdbool.h>

/*
 * Sums of squares that leave the range of doubles: of values beyond some 1e75, or under 1e-68. Such
 * tensors are gone through once more, each side and the error multiplied by a power of two of its
 * own, as BLAS's dnrm2 has accumulators of its own for what is large and what is small. All others
 * pay nothing for it.
 *
 *	if (rg_tensor_norms_begin(&norms, &sums)) {
 *		… rg_tensor_norms_add(&norms, old, new, count) with all pairs …
 *		rg_tensor_norms_finish(&norms, &sums);
 *	}
 */
typedef struct {
	int err, ref, new; /* exponents of the powers */
	rg_sum err2, ref2, new2, product, abs_err, signed_err;
} rg_tensor_norms;

/* False where the sums, which are not scaled yet, are as good as they can be. */
bool rg_tensor_norms_begin(rg_tensor_norms *out, const rg_tensor_sums *sums);
/* An rg_tensor_pairs_fn for all pairs; those that are not finite on both sides count nothing. */
RG_CHECKED rg_error *rg_tensor_norms_add(void *norms, const double *old, const double *new,
					 size_t count);
/* Puts the sums, and what they are scaled by, in place of those that were there. */
void rg_tensor_norms_finish(const rg_tensor_norms *norms, rg_tensor_sums *sums);

#endif
