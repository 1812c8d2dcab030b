/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/convention.h"

bool rg_convention_takes(rg_dtype dtype)
{
	return dtype <= RG_DTYPE_INT64 || dtype == RG_DTYPE_FLOAT32 || dtype == RG_DTYPE_FLOAT64 ||
	       (dtype >= RG_DTYPE_UINT16 && dtype <= RG_DTYPE_UINT64);
}

/* Marks those of `n` elements that are masked. `rest` is NULL where doubles hold all of the type.
 * Loops do one thing each, so that the compiler can use vectors. */
static void find_masked(const rg_convention *c, const double *value, const double *rest, size_t n,
			bool *out)
{
	const rg_exact low = c->low, high = c->high;

	for (size_t i = 0; i < n; i++)
		out[i] = value[i] < low.value || value[i] > high.value ||
			 (c->masks_nan && isnan(value[i]));
	for (size_t i = 0; rest && i < n; i++)
		out[i] |= (value[i] == low.value && rest[i] < low.rest) ||
			  (value[i] == high.value && rest[i] > high.rest);
	for (size_t k = 0; k < c->mask_count; k++) {
		const rg_exact none = c->masks[k];
		for (size_t i = 0; i < n; i++)
			out[i] |= value[i] == none.value && (!rest || rest[i] == none.rest);
	}
}

bool rg_convention_values(const rg_convention *c, const void *bytes, size_t count, double *out)
{
	enum { BLOCK = 256 };
	const size_t size = rg_dtype_size(c->dtype);
	const bool wide = rg_dtype_is_wide(c->dtype);
	const bool packed = c->scale != 1 || c->offset != 0;
	const unsigned char *at = bytes;
	double rest[BLOCK];
	bool masked[BLOCK], any = false;

	for (size_t n; count; count -= n, at += n * size, out += n) {
		n = count < BLOCK ? count : BLOCK;
		rg_dtype_to_double(c->dtype, !rg_dtype_is_host_order(c->dtype, false), at, n, out);
		if (wide)
			rg_dtype_rest(c->dtype, at, n, rest);
		find_masked(c, out, wide ? rest : NULL, n, masked);
		for (size_t i = 0; packed && i < n; i++)
			out[i] = c->as_float ? (double)((float)out[i] * (float)c->scale +
							(float)c->offset)
					     : out[i] * c->scale + c->offset;
		if (!memchr(masked, true, n))
			continue;
		any = true;
		for (size_t i = 0; i < n; i++)
			out[i] = masked[i] ? rg_masked() : out[i];
	}
	return any;
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
