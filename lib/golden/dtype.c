/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/dtype.h"

#include "golden/longdouble.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

/* Conversion of elements in the host's byte order. */
typedef void convert_fn(const unsigned char *bytes, size_t count, double *out);

static inline float float_of_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint32_t bits_of_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* All ones if it is true, so that a mask chooses instead of a branch. */
static inline uint32_t mask_of(bool truth)
{
	return (uint32_t)0 - (uint32_t)truth;
}

/*
 * The small floats: their exponent and fraction are moved to where float32 has them, which leaves
 * the exponent too small by the difference of the biases; one multiplication by a power of two puts
 * that right, exactly, for normal and subnormal numbers alike. An exponent of all ones (infinity,
 * NaN) is filled up. Without a branch, so that eight and more are converted at once.
 */
static inline float float16_value(uint16_t bits)
{
	uint32_t magnitude = (uint32_t)(bits & 0x7fff) << 13;
	uint32_t value = bits_of_float(float_of_bits(magnitude) * 0x1p112f);

	value |= mask_of(magnitude >= 0x0f800000) & 0x7f800000;
	return float_of_bits(value | (uint32_t)(bits & 0x8000) << 16);
}

static inline float bfloat16_value(uint16_t bits)
{
	return float_of_bits((uint32_t)bits << 16);
}

/* OCP 8-bit floats, revision 1.0: e5m2 is the upper half of a float16 … */
static inline float e5m2_value(uint8_t bits)
{
	return float16_value((uint16_t)(bits << 8));
}

/* … e4m3fn has no infinity, and NaN only where all bits but the sign are set. */
static inline float e4m3fn_value(uint8_t bits)
{
	float value = float_of_bits((uint32_t)(bits & 0x7f) << 20) * 0x1p120f;
	uint32_t nan = mask_of((bits & 0x7f) == 0x7f) & 0x7fc00000;

	return float_of_bits(bits_of_float(value) | nan | (uint32_t)(bits & 0x80) << 24);
}

/* The variants without infinity and without -0, whose bit pattern is the only NaN. */
static inline float fnuz_value(uint8_t bits, int shift, float scale)
{
	float value = float_of_bits((uint32_t)(bits & 0x7f) << shift) * scale;
	uint32_t nan = mask_of(bits == 0x80) & 0x7fc00000;

	return float_of_bits(bits_of_float(value) | nan | (uint32_t)(bits & 0x80) << 24);
}

void rg_dtype_rest(rg_dtype dtype, const void *bytes, size_t count, double *rest)
{
	const unsigned char *p = bytes;
	rg_longdouble wide;
	uint64_t bits;

	for (size_t i = 0; i < count; i++, p += rg_dtype_size(dtype)) {
		if (dtype == RG_DTYPE_LONGDOUBLE) {
			memcpy(&wide, p, sizeof(wide));
			rest[i] = rg_longdouble_rest(&wide);
			continue;
		}
		memcpy(&bits, p, sizeof(bits));
		rest[i] = dtype == RG_DTYPE_INT64 && bits >> 63
				  ? -rg_uint64_rest((uint64_t)0 - bits)
				  : rg_uint64_rest(bits);
	}
}

#define CONVERT(NAME, TYPE, VALUE)                                                        \
	static void convert_##NAME(const unsigned char *bytes, size_t count, double *out) \
	{                                                                                 \
		for (size_t i = 0; i < count; i++) {                                      \
			TYPE x;                                                           \
			memcpy(&x, bytes + i * sizeof(x), sizeof(x));                     \
			out[i] = (double)(VALUE);                                         \
		}                                                                         \
	}

CONVERT(uint8, uint8_t, x)
CONVERT(int8, int8_t, x)
CONVERT(uint16, uint16_t, x)
CONVERT(int16, int16_t, x)
CONVERT(uint32, uint32_t, x)
CONVERT(int32, int32_t, x)
CONVERT(uint64, uint64_t, x)
CONVERT(int64, int64_t, x)
CONVERT(float16, uint16_t, float16_value(x))
CONVERT(bfloat16, uint16_t, bfloat16_value(x))
CONVERT(float32, float, x)
CONVERT(float64, double, x)
CONVERT(longdouble, rg_longdouble, rg_longdouble_value(&x))
CONVERT(bool, uint8_t, x != 0)
CONVERT(e5m2, uint8_t, e5m2_value(x))
CONVERT(e4m3fn, uint8_t, e4m3fn_value(x))
CONVERT(e5m2fnuz, uint8_t, fnuz_value(x, 21, 0x1p111f))
CONVERT(e4m3fnuz, uint8_t, fnuz_value(x, 20, 0x1p119f))

enum { ALIASES = 4 };

static const struct {
	const char *name;
	size_t size;
	bool is_float;
	convert_fn *convert;
	const char *aliases[ALIASES]; /* NumPy's, safetensors', PyTorch's short name */
} types[RG_DTYPE_COUNT] = {
	[RG_DTYPE_UINT8] = {"uint8", 1, false, convert_uint8, {"u1", "U8", "byte"}},
	[RG_DTYPE_INT8] = {"int8", 1, false, convert_int8, {"i1", "I8", "char"}},
	[RG_DTYPE_INT16] = {"int16", 2, false, convert_int16, {"i2", "I16", "short"}},
	[RG_DTYPE_INT32] = {"int32", 4, false, convert_int32, {"i4", "I32", "int"}},
	[RG_DTYPE_INT64] = {"int64", 8, false, convert_int64, {"i8", "I64", "long"}},
	[RG_DTYPE_FLOAT16] = {"float16", 2, true, convert_float16, {"f2", "F16", "half"}},
	[RG_DTYPE_FLOAT32] = {"float32", 4, true, convert_float32, {"f4", "F32", "float"}},
	[RG_DTYPE_FLOAT64] = {"float64", 8, true, convert_float64, {"f8", "F64", "double"}},
	[RG_DTYPE_BOOL] = {"bool", 1, false, convert_bool, {"b1", "BOOL"}},
	[RG_DTYPE_QINT8] = {"qint8", 1, false, convert_int8, {NULL}},
	[RG_DTYPE_QUINT8] = {"quint8", 1, false, convert_uint8, {NULL}},
	[RG_DTYPE_QINT32] = {"qint32", 4, false, convert_int32, {NULL}},
	[RG_DTYPE_BFLOAT16] = {"bfloat16", 2, true, convert_bfloat16, {"BF16"}},
	[RG_DTYPE_FLOAT8_E5M2] = {"float8_e5m2", 1, true, convert_e5m2, {"F8_E5M2"}},
	[RG_DTYPE_FLOAT8_E4M3FN] =
		{"float8_e4m3fn", 1, true, convert_e4m3fn, {"F8_E4M3", "float8_e4m3"}},
	[RG_DTYPE_FLOAT8_E5M2FNUZ] =
		{"float8_e5m2fnuz", 1, true, convert_e5m2fnuz, {"F8_E5M2FNUZ"}},
	[RG_DTYPE_FLOAT8_E4M3FNUZ] =
		{"float8_e4m3fnuz", 1, true, convert_e4m3fnuz, {"F8_E4M3FNUZ"}},
	[RG_DTYPE_UINT16] = {"uint16", 2, false, convert_uint16, {"u2", "U16", "ushort"}},
	[RG_DTYPE_UINT32] = {"uint32", 4, false, convert_uint32, {"u4", "U32", "uint"}},
	[RG_DTYPE_UINT64] = {"uint64", 8, false, convert_uint64, {"U64", "ulong"}},
	[RG_DTYPE_LONGDOUBLE] = {"longdouble", 16, true, convert_longdouble, {"float128"}},
};

bool rg_dtype_known(int scalar_type)
{
	return scalar_type >= 0 && scalar_type <= RG_DTYPE_UINT64 && types[scalar_type].name;
}

const char *rg_dtype_name(rg_dtype dtype)
{
	return types[dtype].name;
}

size_t rg_dtype_size(rg_dtype dtype)
{
	return types[dtype].size;
}

bool rg_dtype_is_float(rg_dtype dtype)
{
	return types[dtype].is_float;
}

bool rg_dtype_is_wide(rg_dtype dtype)
{
	return dtype == RG_DTYPE_INT64 || dtype == RG_DTYPE_UINT64 || dtype == RG_DTYPE_LONGDOUBLE;
}

static bool is_called(size_t type, const char *name)
{
	if (!strcasecmp(types[type].name, name))
		return true;
	for (size_t i = 0; i < ALIASES && types[type].aliases[i]; i++)
		if (!strcasecmp(types[type].aliases[i], name))
			return true;
	return false;
}

bool rg_dtype_parse(const char *name, rg_dtype *out)
{
	static const char torch[] = "torch.";
	if (!strncmp(name, torch, sizeof(torch) - 1))
		name += sizeof(torch) - 1;
	/* NumPy's "u8" and "i8" have eight bytes, safetensors' "U8" and "I8" eight bits: only the
	 * case tells them apart. */
	if (!strcmp(name, "u8") || !strcmp(name, "i8")) {
		*out = *name == 'u' ? RG_DTYPE_UINT64 : RG_DTYPE_INT64;
		return true;
	}
	for (size_t i = 0; i < RG_DTYPE_COUNT; i++)
		if (types[i].name && is_called(i, name)) {
			*out = (rg_dtype)i;
			return true;
		}
	return false;
}

bool rg_dtype_is_host_order(rg_dtype dtype, bool big_endian)
{
	return types[dtype].size == 1 || big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void rg_dtype_to_host(rg_dtype dtype, bool big_endian, void *bytes, size_t count)
{
	size_t size = types[dtype].size;
	unsigned char *p = bytes;

	if (rg_dtype_is_host_order(dtype, big_endian))
		return;
	for (size_t i = 0; i < count; i++, p += size)
		for (size_t k = 0; k < size / 2; k++) {
			unsigned char kept = p[k];
			p[k] = p[size - 1 - k];
			p[size - 1 - k] = kept;
		}
}

void rg_dtype_to_double(rg_dtype dtype, bool big_endian, const void *bytes, size_t count,
			double *out)
{
	enum { SWAP_BLOCK = 512 };
	size_t size = types[dtype].size;
	unsigned char swapped[SWAP_BLOCK * RG_DTYPE_SIZE_MAX];
	const unsigned char *p = bytes;

	if (rg_dtype_is_host_order(dtype, big_endian)) {
		types[dtype].convert(p, count, out);
		return;
	}
	while (count) {
		size_t n = count < SWAP_BLOCK ? count : SWAP_BLOCK;
		memcpy(swapped, p, n * size);
		rg_dtype_to_host(dtype, big_endian, swapped, n);
		types[dtype].convert(swapped, n, out);
		p += n * size;
		out += n;
		count -= n;
	}
}
