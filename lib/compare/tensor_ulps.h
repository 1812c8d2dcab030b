#ifndef REGILD_COMPARE_TENSOR_ULPS_H
#define REGILD_COMPARE_TENSOR_ULPS_H

#include "golden/dtype.h"

#include <stdint.h>

/*
 * The largest distance between `count` finite elements of a type, in the host's byte order, in
 * values that this type can represent; for integers, their difference.
 */
uint64_t rg_tensor_ulps(rg_dtype dtype, const void *old, const void *new, size_t count);

#endif
