#ifndef REGILD_COMPARE_TENSOR_CHUNK_H
#define REGILD_COMPARE_TENSOR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The inner loop of compare/tensor.c: RG_CHUNK pairs of elements at once. Element i is added in
 * lane i % RG_LANES, whatever vectors the machine has, so that all machines get the same sums.
 */
enum { RG_CHUNK = 128, RG_LANES = 8 };

/* What is summed. The first six are over all finite pairs, the others where |old| >= 1e-12. */
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
} rg_tensor_sum;

/* Compensated sums, lane by lane. */
typedef struct {
	double sum[RG_SUMS][RG_LANES], correction[RG_SUMS][RG_LANES];
} rg_lane_sums;

/* What else comes of a chunk. */
typedef struct {
	size_t counted;          /* elements with |old| >= 1e-12 */
	size_t above_zero;       /* of them, those with (old - new) / old > 0 */
	double max_abs, max_rel; /* |old - new|, and relative to |old| */
} rg_chunk_figures;

/* What the elements of a chunk are, in the host's byte order. */
typedef enum {
	RG_CHUNK_DOUBLES,
	RG_CHUNK_FLOATS,
	RG_CHUNK_HALVES, /* float16 */
	RG_CHUNK_BRAINS, /* bfloat16 */
	RG_CHUNK_KINDS,
} rg_chunk_kind;

typedef bool rg_chunk_fn(rg_lane_sums *sums, rg_chunk_figures *out, const void *old,
			 const void *new);

/* Each adds a chunk; false, and nothing added, where an element or a difference is not finite. The
 * pointers need no alignment. */
typedef struct {
	rg_chunk_fn *pairs[RG_CHUNK_KINDS];
	/* The same where the two sides' bytes are equal: only `old` is read. */
	rg_chunk_fn *equal[RG_CHUNK_KINDS];
	/* The largest distance between finite elements, as rg_tensor_ulps has it; NULL for doubles,
	 * which may stand for any type. */
	uint32_t (*ulps[RG_CHUNK_KINDS])(const void *old, const void *new);
} rg_chunk_functions;

/* Those for vectors of 2, 4 or 8 doubles; NULL where this machine has none so wide. */
const rg_chunk_functions *rg_chunk_functions_of(int width);
/* The widest. */
const rg_chunk_functions *rg_chunk_functions_best(void);

#endif
