/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TENSOR_H
#define REGILD_GOLDEN_TENSOR_H

#include "base/number.h"
#include "golden/builder.h"
#include "golden/convention.h"
#include "golden/dtype.h"

/*
 * A tensor inside bytes that somebody else owns. Elements are counted in row-major order (the last
 * dimension runs fastest), however they lie in memory.
 */
typedef struct rg_tensor {
	rg_dtype dtype;
	size_t dimensions; /* 0 is a scalar: one element */
	int64_t shape[RG_METRIC_DIMENSIONS];
	/* The dimensions from the slowest to the fastest in memory; {0, 1, 2, …} is row-major. */
	uint8_t order[RG_METRIC_DIMENSIONS];
	/* Complex numbers: each is two elements, its parts, along a last dimension of 2. */
	bool is_complex;
	bool big_endian;
	const rg_convention *convention; /* of its own dtype; NULL: elements are values */
	const unsigned char *data;
	size_t size;          /* bytes: exactly the elements */
	size_t count;         /* elements; set by rg_tensor_check */
	bool row_major;       /* set by rg_tensor_check: `order` changes nothing */
	rg_forget_fn *forget; /* rg_input.forget */
} rg_tensor;

/* "[2, 3]", NUL-terminated, cut off at the end of `out`. */
#define RG_SHAPE_TEXT 256
void rg_shape_text(const int64_t *shape, size_t dimensions, char out[static RG_SHAPE_TEXT]);
/* The index of element `position`: `dimensions` numbers. */
void rg_unravel(const int64_t *shape, size_t dimensions, size_t position, int64_t *index);
/* How many elements; RG_E_PARSE where a dimension is negative or as doubles they fit no memory. */
RG_CHECKED rg_error *rg_shape_count(const int64_t *shape, size_t dimensions, size_t *count);

/* "complex64 [2, 3]", "float32 [4]". */
#define RG_TENSOR_TYPE_TEXT (RG_SHAPE_TEXT + 24)
void rg_tensor_type_text(const rg_tensor *tensor, char out[static RG_TENSOR_TYPE_TEXT]);
/* An element for people; integers as they are, whatever doubles can hold; "masked". */
void rg_tensor_element_text(const rg_tensor *tensor, size_t at,
			    char out[static RG_DOUBLE_REPR_SIZE]);

/* Does its convention give its elements another scale? */
bool rg_tensor_is_packed(const rg_tensor *tensor);

/* Sets `order` to row-major. */
void rg_tensor_row_major(rg_tensor *tensor);
/*
 * Sets the type by a ScalarType, or by a name as rg_dtype_parse takes it; complex numbers are
 * "complex64", "c8" and their like. Shape and order are those of the numbers and must be set; those
 * of complex ones get the dimension of the parts. RG_E_PARSE for a type that cannot be read or one
 * dimension too many.
 */
RG_CHECKED rg_error *rg_tensor_set_scalar_type(rg_tensor *tensor, int scalar_type);
RG_CHECKED rg_error *rg_tensor_set_type(rg_tensor *tensor, const char *name);
/* Is it the name of such a type? */
bool rg_tensor_is_type(const char *name);
/* Sets count and row_major. RG_E_PARSE where a dimension is negative, the elements are more than
 * fit a size_t, `order` is not a permutation, or `size` is not what dtype and shape need. */
RG_CHECKED rg_error *rg_tensor_check(rg_tensor *tensor);
bool rg_tensor_same_shape(const rg_tensor *a, const rg_tensor *b);

/* Elements first … first + count - 1 as doubles (what they stand for, by its convention), or as raw
 * bytes in row-major order and the host's byte order (count × rg_dtype_size bytes). The range must
 * lie inside. */
void rg_tensor_values(const rg_tensor *tensor, size_t first, size_t count, double *out);
void rg_tensor_bytes(const rg_tensor *tensor, size_t first, size_t count, void *out);
/* These elements will not be read again soon (rg_input.forget). Of a tensor that is not row-major
 * nothing is forgotten: its elements lie apart. */
void rg_tensor_forget(const rg_tensor *tensor, size_t first, size_t count);

/* Adds a metric that reads through the tensor, which is copied. Checks the tensor first. */
RG_CHECKED rg_error *rg_tensor_add(rg_golden_builder *builder, const char *name,
				   const rg_tensor *tensor);
/* Adds one that cannot be read: its bytes, which stay in the input, and why (taken over). */
RG_CHECKED rg_error *rg_tensor_add_unreadable(rg_golden_builder *builder, const char *name,
					      const void *data, size_t size, rg_error *why);

/* "2,3" or "2x3" or "[2, 3]"; "" and "[]" are a scalar. */
RG_CHECKED rg_error *rg_shape_parse(const char *text, int64_t shape[static RG_METRIC_DIMENSIONS],
				    size_t *dimensions);

#endif
