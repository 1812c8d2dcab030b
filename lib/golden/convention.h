/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_CONVENTION_H
#define REGILD_GOLDEN_CONVENTION_H

#include "golden/dtype.h"

#include <stdint.h>

/*
 * Attributes of NetCDF and FITS say what the stored elements of a tensor stand for. Some stand for
 * no value: they are masked. Whole numbers stand for fractions: they are packed. Pixels of a lossy
 * compression stand for all within a quantum.
 */
enum { RG_MASKS_MAX = 64, RG_CONVENTION_SIZE_MAX = 8 };

/* An element in the host's byte order. */
typedef struct {
	unsigned char bytes[RG_CONVENTION_SIZE_MAX];
} rg_element;

typedef struct rg_convention {
	rg_dtype dtype; /* one that rg_convention_takes */
	rg_element masks[RG_MASKS_MAX];
	size_t mask_count;
	bool masks_nan;
	bool has_low, has_high; /* all below and above is masked */
	rg_element low, high;
	/* An element stands for itself × scale + offset, computed in floats where as_float. */
	bool packed, as_float;
	double scale, offset;
	/* The quantum of each tile, in row-major order; NULL: the compression has no loss. */
	const double *quanta;
	int64_t tile[16]; /* the shape of a tile: as many dimensions as the tensor has */
} rg_convention;

/* Integers, float32 and float64: no other type is masked or packed. */
bool rg_convention_takes(rg_dtype dtype);
/* The element of such a type that is equal to the number: `whole`, or its bits if it is over
 * INT64_MAX (`is_unsigned`), or `real` where that is a fraction or the type has fractions. False:
 * there is none. */
bool rg_element_of(rg_element *out, rg_dtype dtype, bool is_real, bool is_unsigned, int64_t whole,
		   double real);

/* Marks those of `count` elements in the host's byte order that are masked. True: one is. */
bool rg_convention_mask(const rg_convention *convention, const void *bytes, size_t count,
			bool *masked);
/* The values that elements stand for; RG_MASKED where they are masked. */
void rg_convention_values(const rg_convention *convention, const void *bytes, size_t count,
			  double *out);
/* The quantum of the element of a tensor of that shape; 0: it has none. */
double rg_convention_quantum(const rg_convention *convention, const int64_t *shape,
			     size_t dimensions, size_t element);
/* Either may be NULL. */
bool rg_convention_same_packing(const rg_convention *a, const rg_convention *b);

/* Among doubles a masked element is a NaN with bits of its own. */
double rg_masked(void);
bool rg_is_masked(double value);

#endif
