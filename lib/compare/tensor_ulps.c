#include "compare/tensor_ulps.h"

#include <math.h>
#include <string.h>

/*
 * Floats of all sizes are ordered as their bits are, once the sign is taken for what it is: the
 * magnitude counted up from zero, or down where it is negative (two's complement of it). +0 and -0
 * are the same.
 */
#define FLOAT_ULPS(BITS, WIDE)                                                                \
	static uint64_t float_ulps_##BITS(const unsigned char *old, const unsigned char *new, \
					  size_t count)                                       \
	{                                                                                     \
		const WIDE magnitude = ((WIDE)1 << ((BITS)-1)) - 1;                           \
		WIDE max = 0;                                                                 \
		size_t i;                                                                     \
                                                                                              \
		for (i = 0; i < count; i++) {                                                 \
			uint##BITS##_t a, b;                                                  \
			WIDE left, right, distance;                                           \
                                                                                              \
			memcpy(&a, old + i * sizeof(a), sizeof(a));                           \
			memcpy(&b, new + i * sizeof(b), sizeof(b));                           \
			left = ((WIDE)a & magnitude) * (1 - 2 * (WIDE)(a >> ((BITS)-1)));     \
			right = ((WIDE)b & magnitude) * (1 - 2 * (WIDE)(b >> ((BITS)-1)));    \
			distance = left > right ? left - right : right - left;                \
			max = distance > max ? distance : max;                                \
		}                                                                             \
		return (uint64_t)max;                                                         \
	}

FLOAT_ULPS(8, int32_t)
FLOAT_ULPS(16, int32_t)
FLOAT_ULPS(32, int64_t)

/* The distance of two integers of any type, in wrapping arithmetic of 64 bits. */
#define INTEGER_ULPS(TYPE)                                                                        \
	static uint64_t ulps_##TYPE(const unsigned char *old, const unsigned char *new,           \
				    size_t count)                                                 \
	{                                                                                         \
		uint64_t max = 0;                                                                 \
		size_t i;                                                                         \
                                                                                                  \
		for (i = 0; i < count; i++) {                                                     \
			TYPE a, b;                                                                \
			uint64_t distance;                                                        \
                                                                                                  \
			memcpy(&a, old + i * sizeof(a), sizeof(a));                               \
			memcpy(&b, new + i * sizeof(b), sizeof(b));                               \
			distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a; \
			max = distance > max ? distance : max;                                    \
		}                                                                                 \
		return max;                                                                       \
	}

INTEGER_ULPS(uint8_t)
INTEGER_ULPS(int8_t)
INTEGER_ULPS(uint16_t)
INTEGER_ULPS(int16_t)
INTEGER_ULPS(uint32_t)
INTEGER_ULPS(int32_t)
INTEGER_ULPS(uint64_t)
INTEGER_ULPS(int64_t)

/* Doubles need all 64 bits of the distance: positions are compared as signed numbers and taken from
 * each other as unsigned ones. */
static uint64_t float_ulps_64(const unsigned char *old, const unsigned char *new, size_t count)
{
	uint64_t max = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		int64_t a, b;
		uint64_t distance;

		memcpy(&a, old + i * sizeof(a), sizeof(a));
		memcpy(&b, new + i * sizeof(b), sizeof(b));
		a = a < 0 ? INT64_MIN - a : a;
		b = b < 0 ? INT64_MIN - b : b;
		distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
		max = distance > max ? distance : max;
	}
	return max;
}

typedef uint64_t ulps_fn(const unsigned char *old, const unsigned char *new, size_t count);

static ulps_fn *function_of(rg_dtype dtype)
{
	switch (dtype) {
	case RG_DTYPE_UINT8:
	case RG_DTYPE_QUINT8:
	case RG_DTYPE_BOOL:
		return ulps_uint8_t;
	case RG_DTYPE_INT8:
	case RG_DTYPE_QINT8:
		return ulps_int8_t;
	case RG_DTYPE_UINT16:
		return ulps_uint16_t;
	case RG_DTYPE_INT16:
		return ulps_int16_t;
	case RG_DTYPE_UINT32:
		return ulps_uint32_t;
	case RG_DTYPE_INT32:
	case RG_DTYPE_QINT32:
		return ulps_int32_t;
	case RG_DTYPE_UINT64:
		return ulps_uint64_t;
	case RG_DTYPE_INT64:
		return ulps_int64_t;
	case RG_DTYPE_FLOAT16:
	case RG_DTYPE_BFLOAT16:
		return float_ulps_16;
	case RG_DTYPE_FLOAT32:
		return float_ulps_32;
	case RG_DTYPE_FLOAT64:
		return float_ulps_64;
	case RG_DTYPE_FLOAT8_E5M2:
	case RG_DTYPE_FLOAT8_E4M3FN:
	case RG_DTYPE_FLOAT8_E5M2FNUZ:
	case RG_DTYPE_FLOAT8_E4M3FNUZ:
		break;
	}
	return float_ulps_8;
}

/* One pair at a time, without those that are not finite. */
static uint64_t finite_ulps(const rg_tensor *old, const rg_tensor *new, size_t at, size_t count,
			    ulps_fn *function)
{
	unsigned char a[8], b[8];
	uint64_t max = 0, distance;
	double left, right;
	size_t i;

	for (i = at; i < at + count; i++) {
		rg_tensor_values(old, i, 1, &left);
		rg_tensor_values(new, i, 1, &right);
		if (!isfinite(left) || !isfinite(right))
			continue;
		rg_tensor_bytes(old, i, 1, a);
		rg_tensor_bytes(new, i, 1, b);
		distance = function(a, b, 1);
		max = distance > max ? distance : max;
	}
	return max;
}

uint64_t rg_tensor_ulps(const rg_tensor *old, const rg_tensor *new, size_t at, size_t count,
			bool all_finite)
{
	size_t size = rg_dtype_size(old->dtype);
	ulps_fn *function = function_of(old->dtype);

	/* The functions read the host's byte order. */
	if (!all_finite || !rg_dtype_is_host_order(old->dtype, old->big_endian))
		return finite_ulps(old, new, at, count, function);
	return function(old->data + at * size, new->data + at *size, count);
}
