/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/runtime_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1024 };

/* `difference` is actual - expected, as the type has it. */
static bool is_close(double expected, double actual, double difference, double rtol, double atol)
{
	if (isnan(expected) && isnan(actual))
		return true;
	if (!isfinite(expected) && !isfinite(actual) && (expected > 0) == (actual > 0))
		return true;
	if (rtol == 0 && atol == 0)
		return expected == actual;
	/* An infinite rtol of 0 allows NaN, which nothing is over. */
	return isfinite(difference) && !(fabs(difference) > atol + fabs(rtol * actual));
}

/* The first element that breaks the rule, for people. */
static void describe(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		     size_t at)
{
	char index[RG_SHAPE_TEXT], want[RG_DOUBLE_REPR_SIZE], got[RG_DOUBLE_REPR_SIZE];
	int64_t place[RG_METRIC_DIMENSIONS];

	rg_unravel(expected->shape, expected->dimensions, at, place);
	rg_shape_text(place, expected->dimensions, index);
	rg_tensor_element_text(actual, at, got);
	rg_tensor_element_text(expected, at, want);
	/* Two NaN, or two zeros, may have different bits. */
	if (strcmp(got, want) != 0)
		snprintf(out->why, sizeof(out->why), "element %s is %s, not %s", index, got, want);
	else
		snprintf(out->why, sizeof(out->why), "element %s is %s in other bits", index, got);
}

static void check_floats(rg_runtime_verdict *out, const rg_tensor *expected,
			 const rg_tensor *actual, size_t at, size_t count, double rtol, double atol)
{
	bool single = expected->dtype == RG_DTYPE_FLOAT32;
	double a[BLOCK], b[BLOCK];

	rg_tensor_values(expected, at, count, a);
	rg_tensor_values(actual, at, count, b);
	for (size_t i = 0; i < count; i++) {
		double difference = a[i] - b[i];
		if (single)
			difference = (float)difference; /* rounded once, as one subtraction is */
		if (!is_close(a[i], b[i], difference, rtol, atol) && !out->wrong++)
			describe(out, expected, actual, at + i);
	}
}

void rg_runtime_check(rg_runtime_verdict *out, const rg_tensor *expected, const rg_tensor *actual,
		      double rtol, double atol)
{
	const rg_dtype dtype = expected->dtype;
	const bool has_tolerance = !expected->is_complex &&
				   (dtype == RG_DTYPE_FLOAT32 || dtype == RG_DTYPE_FLOAT64 ||
				    dtype == RG_DTYPE_FLOAT16);
	char want[RG_TENSOR_TYPE_TEXT], got[RG_TENSOR_TYPE_TEXT];
	size_t count;

	*out = (rg_runtime_verdict){0};
	if (dtype != actual->dtype || !rg_tensor_same_shape(expected, actual)) {
		rg_tensor_type_text(expected, want);
		rg_tensor_type_text(actual, got);
		snprintf(out->why, sizeof(out->why), "is %s, not %s", got, want);
		return;
	}
	for (size_t at = 0; at < expected->count; at += count) {
		count = expected->count - at < BLOCK ? expected->count - at : BLOCK;
		if (has_tolerance)
			check_floats(out, expected, actual, at, count, rtol, atol);
		else {
			unsigned char a[BLOCK * RG_DTYPE_SIZE_MAX], b[BLOCK * RG_DTYPE_SIZE_MAX];
			size_t size = rg_dtype_size(expected->dtype);

			rg_tensor_bytes(actual, at, count, a);
			rg_tensor_bytes(expected, at, count, b);
			for (size_t i = 0; i < count; i++)
				if (memcmp(a + i * size, b + i * size, size) != 0 && !out->wrong++)
					describe(out, expected, actual, at + i);
		}
		rg_tensor_forget(expected, at, count);
		rg_tensor_forget(actual, at, count);
	}
	out->passed = !out->wrong;
}

/* Numbers the dimensions of both as the expected elements lie in memory. */
static void straighten(rg_tensor *expected, rg_tensor *actual)
{
	const rg_tensor was = *expected, other = *actual;
	uint8_t place[RG_METRIC_DIMENSIONS];

	for (size_t i = 0; i < was.dimensions; i++) {
		expected->shape[i] = actual->shape[i] = was.shape[was.order[i]];
		place[was.order[i]] = (uint8_t)i;
	}
	for (size_t i = 0; i < was.dimensions; i++)
		actual->order[i] = place[other.order[i]];
	rg_tensor_row_major(expected);
	expected->row_major = true;
	actual->row_major = other.row_major && was.row_major;
}

/* C++'s std::max, which keeps the first where a NaN is compared. */
static double larger(double first, double second)
{
	return first < second ? second : first;
}

bool rg_runtime_errors_add(rg_runtime_errors *errors, const rg_tensor *expected,
			   const rg_tensor *actual)
{
	const double least = (double)1e-8f;
	rg_tensor a = *expected, b = *actual;
	double want[BLOCK], got[BLOCK];
	size_t count;

	if (a.dtype != RG_DTYPE_FLOAT32 || b.dtype != a.dtype || a.is_complex || b.is_complex ||
	    a.count != b.count)
		return false;
	if (rg_tensor_same_shape(&a, &b))
		straighten(&a, &b);
	for (size_t at = 0; at < a.count; at += count) {
		count = a.count - at < BLOCK ? a.count - at : BLOCK;
		rg_tensor_values(&a, at, count, want);
		rg_tensor_values(&b, at, count, got);
		for (size_t i = 0; i < count; i++) {
			double off = fabs((double)(float)(got[i] - want[i]));
			double by = larger(larger(fabs(got[i]), fabs(want[i])), least);

			errors->sum_abs += off;
			errors->max_abs = larger(errors->max_abs, off);
			errors->sum_rel += off / by;
			errors->max_rel = larger(errors->max_rel, off / by);
		}
	}
	errors->count += a.count;
	return true;
}
