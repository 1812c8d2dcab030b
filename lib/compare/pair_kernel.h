/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_PAIR_KERNEL_H
#define REGILD_COMPARE_PAIR_KERNEL_H

#include "golden/dtype.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The inner loops over pairs of values, up to RG_CHUNK at once, in vector instructions. Pair i is
 * added to lane i % RG_LANES whatever vectors the machine has, so all machines get the same sums.
 */
enum { RG_CHUNK = 256, RG_LANES = 8 };

/* The sums: err = fresh - old, ref = old. The first six are over all finite pairs, the others over
 * those with |old| >= near_zero. */
typedef enum {
	RG_SUM_ERR2,
	RG_SUM_REF2,
	RG_SUM_NEW2,
	RG_SUM_PRODUCT,
	RG_SUM_ABS_ERR,
	RG_SUM_ERR,
	RG_SUM_RELATIVE,
	RG_SUM_ABS_RELATIVE,
	RG_SUM_OLD,
	RG_SUM_NEW,
	RG_SUMS,
} rg_pair_sum;

/* Compensated sums, lane by lane. */
typedef struct {
	double sum[RG_SUMS][RG_LANES], correction[RG_SUMS][RG_LANES];
} rg_lane_sums;

/* The other figures of a chunk. */
typedef struct {
	size_t counted;          /* pairs with |old| >= near_zero */
	size_t above_zero;       /* of them, those with (old - fresh) / old > 0 */
	size_t differing;        /* of all */
	size_t too_small;        /* of those that differ, not counted */
	double max_abs, max_rel; /* |old - fresh|, and relative to |old| where that counts */
	double max_rel_any;      /* relative to any |old|: infinite where a 0 changed */
} rg_chunk_figures;

/* Values are read as one of these, in the host's byte order. */
typedef enum {
	RG_READ_DOUBLES, /* float64; every other type is converted to it first */
	RG_READ_FLOATS,
	RG_READ_HALVES, /* float16 */
	RG_READ_BRAINS, /* bfloat16 */
	RG_READS,
} rg_read_as;

/*
 * Adds `count` pairs: for doubles a multiple of RG_LANES, else RG_CHUNK. Doubles are added with
 * compensation one by one, narrower types 32 at a time. Pairs with |old| under `near_zero`, which
 * is over 0, have no relative figure. False, and nothing added, where a value or a difference is
 * not finite; `forced`, infinite differences are added. Pointers need no alignment.
 */
typedef bool rg_add_pairs_fn(rg_lane_sums *sums, rg_chunk_figures *out, const void *old,
			     const void *fresh, size_t count, double near_zero, bool forced);

/* The largest distance between `count` finite values in values of their type; integers: their
 * difference. */
typedef uint64_t rg_ulps_fn(const void *old, const void *fresh, size_t count);

typedef struct {
	rg_add_pairs_fn *add[RG_READS];
	rg_add_pairs_fn *add_equal[RG_READS]; /* the same, of sides with the same bits */
	rg_ulps_fn *ulps[RG_DTYPE_COUNT];
} rg_pair_kernel;

/* The fastest on this machine; `plain`: the one for every machine. */
const rg_pair_kernel *rg_pair_kernel_get(bool plain);

#endif
