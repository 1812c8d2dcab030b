/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/convention.h"

#include <math.h>
#include <string.h>

static const uint64_t masked_bits = UINT64_C(0x7ff86d61736b6564);

double rg_masked(void)
{
	double value;
	memcpy(&value, &masked_bits, sizeof(value));
	return value;
}

bool rg_is_masked(double value)
{
	return !memcmp(&value, &masked_bits, sizeof(value));
}

/* Loops over one type each, so that the compiler can use vectors. */
#define MASK(TYPE)                                                                              \
	static void mask_##TYPE(const rg_convention *c, const unsigned char *bytes, size_t n,   \
				bool *out)                                                      \
	{                                                                                       \
		TYPE x, low = 0, high = 0, none = 0;                                            \
		for (size_t k = 0; k < c->mask_count; k++) {                                    \
			memcpy(&none, c->masks[k].bytes, sizeof(none));                         \
			for (size_t i = 0; i < n; i++) {                                        \
				memcpy(&x, bytes + i * sizeof(x), sizeof(x));                   \
				out[i] |= x == none;                                            \
			}                                                                       \
		}                                                                               \
		memcpy(&low, c->low.bytes, sizeof(low));                                        \
		memcpy(&high, c->high.bytes, sizeof(high));                                     \
		for (size_t i = 0; i < n && (c->has_low || c->has_high || c->masks_nan); i++) { \
			memcpy(&x, bytes + i * sizeof(x), sizeof(x));                           \
			out[i] |= (c->has_low && x < low) || (c->has_high && x > high) ||       \
				  (c->masks_nan && isnan((double)x));                           \
		}                                                                               \
	}

MASK(int8_t)
MASK(uint8_t)
MASK(int16_t)
MASK(uint16_t)
MASK(int32_t)
MASK(uint32_t)
MASK(int64_t)
MASK(uint64_t)
MASK(float)
MASK(double)

typedef void mask_fn(const rg_convention *c, const unsigned char *bytes, size_t n, bool *out);

/* The whole numbers that a type has, and the loop over its elements. */
static const struct {
	mask_fn *mask;
	int64_t low;
	uint64_t high; /* 0: it has fractions */
} types[RG_DTYPE_COUNT] = {
	[RG_DTYPE_INT8] = {mask_int8_t, INT8_MIN, INT8_MAX},
	[RG_DTYPE_UINT8] = {mask_uint8_t, 0, UINT8_MAX},
	[RG_DTYPE_INT16] = {mask_int16_t, INT16_MIN, INT16_MAX},
	[RG_DTYPE_UINT16] = {mask_uint16_t, 0, UINT16_MAX},
	[RG_DTYPE_INT32] = {mask_int32_t, INT32_MIN, INT32_MAX},
	[RG_DTYPE_UINT32] = {mask_uint32_t, 0, UINT32_MAX},
	[RG_DTYPE_INT64] = {mask_int64_t, INT64_MIN, INT64_MAX},
	[RG_DTYPE_UINT64] = {mask_uint64_t, 0, UINT64_MAX},
	[RG_DTYPE_FLOAT32] = {mask_float, 0, 0},
	[RG_DTYPE_FLOAT64] = {mask_double, 0, 0},
};

bool rg_convention_takes(rg_dtype dtype)
{
	return types[dtype].mask;
}

/* The low bytes of a whole number, in the host's order. */
static void put_whole(rg_element *out, size_t size, uint64_t bits)
{
	const uint8_t one = (uint8_t)bits;
	const uint16_t two = (uint16_t)bits;
	const uint32_t four = (uint32_t)bits;
	memcpy(out->bytes,
	       size == 1   ? (const void *)&one
	       : size == 2 ? (const void *)&two
	       : size == 4 ? (const void *)&four
			   : (const void *)&bits,
	       size);
}

bool rg_element_of(rg_element *out, rg_dtype dtype, bool is_real, bool is_unsigned, int64_t whole,
		   double real)
{
	*out = (rg_element){{0}};
	if (!types[dtype].high) {
		const double value = is_real       ? real
				     : is_unsigned ? (double)(uint64_t)whole
						   : (double)whole;
		const float narrow = (float)value;
		memcpy(out->bytes,
		       dtype == RG_DTYPE_FLOAT32 ? (const void *)&narrow : (const void *)&value,
		       rg_dtype_size(dtype));
		return true;
	}
	if (is_real) {
		if (real != floor(real) || real < -0x1p63 || real >= 0x1p64)
			return false; /* NaN, too */
		is_unsigned = real >= 0x1p63;
		whole = is_unsigned ? (int64_t)(uint64_t)real : (int64_t)real;
	}
	if (!is_unsigned && whole < 0 ? whole < types[dtype].low
				      : (uint64_t)whole > types[dtype].high)
		return false;
	put_whole(out, rg_dtype_size(dtype), (uint64_t)whole);
	return true;
}

bool rg_convention_mask(const rg_convention *convention, const void *bytes, size_t count,
			bool *masked)
{
	memset(masked, 0, count * sizeof(*masked));
	types[convention->dtype].mask(convention, bytes, count, masked);
	return memchr(masked, true, count);
}

void rg_convention_values(const rg_convention *c, const void *bytes, size_t count, double *out)
{
	enum { BLOCK = 256 };
	const size_t size = rg_dtype_size(c->dtype);
	const unsigned char *at = bytes;
	bool masked[BLOCK];

	for (; count; at += BLOCK * size, out += BLOCK) {
		const size_t n = count < BLOCK ? count : BLOCK;
		rg_dtype_to_double(c->dtype, !rg_dtype_is_host_order(c->dtype, false), at, n, out);
		for (size_t i = 0; c->packed && i < n; i++)
			out[i] = c->as_float ? (double)((float)out[i] * (float)c->scale +
							(float)c->offset)
					     : out[i] * c->scale + c->offset;
		if (rg_convention_mask(c, at, n, masked))
			for (size_t i = 0; i < n; i++)
				out[i] = masked[i] ? rg_masked() : out[i];
		count -= n;
	}
}

double rg_convention_quantum(const rg_convention *c, const int64_t *shape, size_t dimensions,
			     size_t element)
{
	size_t tile = 0, across = 1;
	if (!c || !c->quanta)
		return 0;
	for (size_t i = dimensions; i-- > 0;) {
		const size_t extent = (size_t)shape[i], width = (size_t)c->tile[i];
		tile += element % extent / width * across;
		across *= (extent + width - 1) / width;
		element /= extent;
	}
	return c->quanta[tile];
}

bool rg_convention_same_packing(const rg_convention *a, const rg_convention *b)
{
	const double a_scale = a && a->packed ? a->scale : 1,
		     b_scale = b && b->packed ? b->scale : 1;
	const double a_offset = a && a->packed ? a->offset : 0,
		     b_offset = b && b->packed ? b->offset : 0;
	return a_scale == b_scale && a_offset == b_offset;
}
