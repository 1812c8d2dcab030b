#include "compare/tensor_ulps.h"

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

uint64_t rg_tensor_ulps(rg_dtype dtype, const void *old, const void *new, size_t count)
{
	return function_of(dtype)(old, new, count);
}
