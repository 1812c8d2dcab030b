/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_CONVENTION_H
#define REGILD_GOLDEN_CONVENTION_H

#include "golden/dtype.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Attributes of NetCDF and FITS say what the stored elements of a tensor stand for. Some stand for
 * no value: they are masked. Whole numbers stand for fractions: they are packed. Pixels of a lossy
 * compression stand for all within a quantum.
 */
enum { RG_MASKS_MAX = 64 };

/* A stored number, exactly: the nearest double, and what it lacks (rg_dtype_rest). */
typedef struct {
	double value, rest;
} rg_exact;

typedef struct {
	rg_dtype dtype; /* one that rg_convention_takes */
	rg_exact masks[RG_MASKS_MAX];
	size_t mask_count;
	bool masks_nan;
	rg_exact low, high; /* all below and above is masked */
	/* An element stands for itself × scale + offset, computed in floats where as_float. */
	double scale, offset;
	bool as_float;
	/* The quantum of each tile, in row-major order; NULL: the compression has no loss. */
	const double *quanta;
	int64_t tile[16]; /* the shape of a tile: as many dimensions as the tensor has */
} rg_convention;

/* The convention that says nothing: elements stand for themselves. */
#define RG_CONVENTION(type)                                                               \
	(rg_convention)                                                                   \
	{                                                                                 \
		.dtype = (type), .low = {-INFINITY, 0}, .high = {INFINITY, 0}, .scale = 1 \
	}

/* Integers, float32 and float64: no other type is masked or packed. */
bool rg_convention_takes(rg_dtype dtype);
/* The values that `count` elements in the host's byte order stand for; rg_masked() where they are
 * masked. True: one is. */
bool rg_convention_values(const rg_convention *convention, const void *bytes, size_t count,
			  double *out);
/* The quantum of the element of a tensor of that shape; 0: it has none. */
double rg_convention_quantum(const rg_convention *convention, const int64_t *shape,
			     size_t dimensions, size_t element);

/* Among doubles a masked element is a NaN with bits of its own. */
static const uint64_t rg_masked_bits = UINT64_C(0x7ff86d61736b6564);

static inline double rg_masked(void)
{
	double value;
	memcpy(&value, &rg_masked_bits, sizeof(value));
	return value;
}

static inline bool rg_is_masked(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits == rg_masked_bits;
}

#endif
