/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_TENSOR_PAIR_H
#define REGILD_COMPARE_TENSOR_PAIR_H

#include "golden/tensor.h"

/*
 * Two tensors of one type and shape, made ready to be read side by side. Where their elements lie
 * in the same order, whatever that is, they are read in it: places are then counted as the elements
 * lie in the files, and a tensor in Fortran's order streams as well as any other. Where the orders
 * differ, places are counted in row-major order and elements gathered.
 */
typedef struct {
	rg_tensor old, fresh; /* with places as their elements' numbers */
	/* Elements are copied before they are read: the orders differ, or the bytes of one side
	 * are not in the host's order. */
	bool copied;
	bool gathered; /* the orders differ: see rg_tensor_pair_part */
	bool permuted; /* places are in another order than the elements' numbers */
	/* How many elements apart, in row-major order, the steps of each dimension of a place are.
	 */
	size_t strides[RG_METRIC_DIMENSIONS];
} rg_tensor_pair;

/* Are they two tensors of one type and shape? Either may be NULL. */
bool rg_tensor_are_alike(const rg_tensor *old, const rg_tensor *fresh);

/* Both are alike. Borrows their bytes. With `row_major`, places are elements' numbers. */
void rg_tensor_pair_init(rg_tensor_pair *out, const rg_tensor *old, const rg_tensor *fresh,
			 bool row_major);

/* The elements at places `at` … in the host's byte order: where they lie, or copied to `room`,
 * which takes `count` of them. `side` is one of the pair's two. */
const unsigned char *rg_tensor_pair_bytes(const rg_tensor_pair *pair, const rg_tensor *side,
					  size_t at, size_t count, unsigned char *room);

/* How many elements to read at a time, from a multiple of it on. */
size_t rg_tensor_pair_part(const rg_tensor_pair *pair);
/* The elements at places `at` … of a gathered pair's side that is not in row-major order, in the
 * host's byte order; `out` takes `count` of them, a whole part but for the last. */
void rg_tensor_pair_gather(const rg_tensor *side, size_t at, size_t count, unsigned char *out);

/* The least number, in row-major order, of the elements at the `count` places from `at` on that are
 * marked (NULL: all), where it is under `known`; else `known`. Only for pairs that are permuted. */
size_t rg_tensor_pair_first(const rg_tensor_pair *pair, size_t at, size_t count, const bool *marked,
			    size_t known);

/* These elements of both sides will not be read again soon. */
void rg_tensor_pair_forget(const rg_tensor_pair *pair, size_t at, size_t count);

#endif
