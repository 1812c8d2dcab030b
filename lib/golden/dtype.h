/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_DTYPE_H
#define REGILD_GOLDEN_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Types of tensor elements. The numbers are those of ExecuTorch's ScalarType (schema/
 * scalar_type.fbs), so that a byte of a .pte or .bpte is one, once rg_dtype_known said so.
 */
typedef enum {
	RG_DTYPE_UINT8 = 0,
	RG_DTYPE_INT8 = 1,
	RG_DTYPE_INT16 = 2,
	RG_DTYPE_INT32 = 3,
	RG_DTYPE_INT64 = 4,
	RG_DTYPE_FLOAT16 = 5,
	RG_DTYPE_FLOAT32 = 6,
	RG_DTYPE_FLOAT64 = 7,
	RG_DTYPE_BOOL = 11,
	RG_DTYPE_QINT8 = 12, /* the quantised types count as their stored integers */
	RG_DTYPE_QUINT8 = 13,
	RG_DTYPE_QINT32 = 14,
	RG_DTYPE_BFLOAT16 = 15,
	RG_DTYPE_FLOAT8_E5M2 = 23,
	RG_DTYPE_FLOAT8_E4M3FN = 24,
	RG_DTYPE_FLOAT8_E5M2FNUZ = 25,
	RG_DTYPE_FLOAT8_E4M3FNUZ = 26,
	RG_DTYPE_UINT16 = 27,
	RG_DTYPE_UINT32 = 28,
	RG_DTYPE_UINT64 = 29,
	/* NumPy's longdouble as x86 has it, 80 bits in 16 bytes. No ScalarType. */
	RG_DTYPE_LONGDOUBLE = 30,
} rg_dtype;

enum {
	RG_DTYPE_COUNT = RG_DTYPE_LONGDOUBLE + 1, /* one more than the largest number */
	RG_DTYPE_SIZE_MAX = 16,                   /* bytes of the largest element */
};

/* Is this a ScalarType that can be read? Bit fields and types under a byte cannot; of complex
 * numbers the parts can (golden/tensor.h). */
bool rg_dtype_known(int scalar_type);
/* "float32", "bfloat16", … as PyTorch calls them. */
const char *rg_dtype_name(rg_dtype dtype);
/* Bytes of an element: 1, 2, 4, 8 or 16. */
size_t rg_dtype_size(rg_dtype dtype);
/* Floats of all sizes; false for integers and bool. */
bool rg_dtype_is_float(rg_dtype dtype);
/* Are there values that no double has: 64-bit integers beyond 2^53, and longdouble? */
bool rg_dtype_is_wide(rg_dtype dtype);

/*
 * Reads "float32", and what PyTorch, NumPy and safetensors also call it: "torch.float32", "float",
 * "f4", "F32". Case counts only for NumPy's "i8" and "u8", which are 64 bits wide.
 */
bool rg_dtype_parse(const char *name, rg_dtype *out);

/*
 * Converts `count` elements, which need not be aligned, to doubles. Every value of every type has a
 * double of its own, but for those of wide types, which are rounded to the nearest. A bool is
 * 0 or 1. `big_endian` is the order of the bytes in memory.
 */
void rg_dtype_to_double(rg_dtype dtype, bool big_endian, const void *bytes, size_t count,
			double *out);

/* The rest that rounding took from elements of a wide type in the host's byte order: value = double
 * + rest. 0 for values that are not finite. */
void rg_dtype_rest(rg_dtype dtype, const void *bytes, size_t count, double *rest);

/* Is that byte order this machine's? */
bool rg_dtype_is_host_order(rg_dtype dtype, bool big_endian);
/* Turns elements into the host's byte order, in place. */
void rg_dtype_to_host(rg_dtype dtype, bool big_endian, void *bytes, size_t count);

#endif
