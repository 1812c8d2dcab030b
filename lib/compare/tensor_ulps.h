#ifndef REGILD_COMPARE_TENSOR_ULPS_H
#define REGILD_COMPARE_TENSOR_ULPS_H

#include "golden/tensor.h"

/*
 * The largest distance between elements `at` … `at + count - 1` of two row-major tensors of one
 * type, in values that this type can represent; for integers, their difference. Pairs with a NaN or
 * an infinity are left out; `all_finite` says that there is none.
 */
uint64_t rg_tensor_ulps(const rg_tensor *old, const rg_tensor *new, size_t at, size_t count,
			bool all_finite);

#endif
