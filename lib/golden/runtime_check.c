/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/runtime_check.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1024 };

static bool is_close(double actual, double expected, double rtol, double atol)
{
	if (isnan(actual) || isnan(expected))
		return isnan(actual) && isnan(expected);
	if (isinf(actual) || isinf(expected))
		return actual == expected;
	return fabs(actual - expected) <= atol + rtol * fabs(actual);
}

/* An element for people. Integers of 64 bits do not fit doubles, and a truth is its byte. */
static void element_text(const rg_tensor *tensor, size_t at, char out[static RG_DOUBLE_REPR_SIZE])
{
	unsigned char truth;
	int64_t whole;
	double value;

	rg_tensor_values(tensor, at, 1, &value);
	if (rg_dtype_is_float(tensor->dtype)) {
		rg_double_repr(value, out);
	} else if (rg_dtype_size(tensor->dtype) == sizeof(whole)) {
		rg_tensor_bytes(tensor, at, 1, &whole);
		snprintf(out, RG_DOUBLE_REPR_SIZE,
			 tensor->dtype == RG_DTYPE_UINT64 ? "%" PRIu64 : "%" PRId64, whole);
	} else if (tensor->dtype == RG_DTYPE_BOOL) {
		rg_tensor_bytes(tensor, at, 1, &truth);
		snprintf(out, RG_DOUBLE_REPR_SIZE, "%u", (unsigned)truth);
	} else {
		snprintf(out, RG_DOUBLE_REPR_SIZE, "%.0f", value);
	}
}

/* The first element that breaks the rule, for people. */
static void describe(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		     size_t at)
{
	char index[RG_SHAPE_TEXT], want[RG_DOUBLE_REPR_SIZE], got[RG_DOUBLE_REPR_SIZE];
	int64_t place[RG_METRIC_DIMENSIONS];

	rg_unravel(expected->shape, expected->dimensions, at, place);
	rg_shape_text(place, expected->dimensions, index);
	element_text(actual, at, got);
	element_text(expected, at, want);
	snprintf(out->why, sizeof(out->why), "element %s is %s, not %s", index, got, want);
}

static void check_floats(rg_runtime_verdict *out, const rg_tensor *expected,
			 const rg_tensor *actual, size_t at, size_t count, double rtol, double atol)
{
	double a[BLOCK], b[BLOCK];
	size_t i;

	rg_tensor_values(actual, at, count, a);
	rg_tensor_values(expected, at, count, b);
	for (i = 0; i < count; i++)
		if (!is_close(a[i], b[i], rtol, atol) && !out->wrong++)
			describe(out, expected, actual, at + i);
}

/* Bytes, because doubles cannot tell all 64-bit integers apart. */
static void check_integers(rg_runtime_verdict *out, const rg_tensor *expected,
			   const rg_tensor *actual, size_t at, size_t count)
{
	unsigned char a[BLOCK * 8], b[BLOCK * 8];
	size_t size = rg_dtype_size(expected->dtype), i;

	rg_tensor_bytes(actual, at, count, a);
	rg_tensor_bytes(expected, at, count, b);
	for (i = 0; i < count; i++)
		if (memcmp(a + i * size, b + i * size, size) != 0 && !out->wrong++)
			describe(out, expected, actual, at + i);
}

static void refuse_shape(rg_runtime_verdict *out, const rg_tensor *expected,
			 const rg_tensor *actual)
{
	char want[RG_SHAPE_TEXT], got[RG_SHAPE_TEXT];

	rg_shape_text(expected->shape, expected->dimensions, want);
	rg_shape_text(actual->shape, actual->dimensions, got);
	snprintf(out->why, sizeof(out->why), "is %s %s, not %s %s", rg_dtype_name(actual->dtype),
		 got, rg_dtype_name(expected->dtype), want);
}

void rg_runtime_check(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		      double rtol, double atol)
{
	bool floats = rg_dtype_is_float(expected->dtype);
	size_t at, count;

	*out = (rg_runtime_verdict){0};
	if (expected->dtype != actual->dtype || !rg_tensor_same_shape(expected, actual)) {
		refuse_shape(out, expected, actual);
		return;
	}
	for (at = 0; at < expected->count; at += count) {
		count = expected->count - at < BLOCK ? expected->count - at : BLOCK;
		if (floats)
			check_floats(out, expected, actual, at, count, rtol, atol);
		else
			check_integers(out, expected, actual, at, count);
	}
	out->passed = !out->wrong;
}
